/**
 * Data that an earlier version stored wrong is put right once, user by user, by a job. What is left to do; a later fault adds
 * rows under another name in its own migration.
 */
export const repairs = {
  name: '2026-11-24_11_repairs',
  sql: `
create table pending_repair (
  user_key bigint not null,
  repair text not null,
  retry_at timestamptz not null default now(),
  -- Where a repair that takes several transactions goes on.
  resume_at timestamptz,
  primary key (user_key, repair)
);
create index pending_repair_due on pending_repair (retry_at);
`,
};
