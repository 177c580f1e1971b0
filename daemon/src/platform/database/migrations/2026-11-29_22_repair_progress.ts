/** Progress of the repairs that an upgrade queues for many users. */
export const repairProgress = {
  name: '2026-11-29_22_repair_progress',
  sql: `
create table repair_progress (
  repair text primary key,
  users_done integer not null default 0,
  started_at timestamptz not null default now(),
  -- Null until no user is pending. The next upgrade starts the row again.
  finished_at timestamptz
);
`,
};
