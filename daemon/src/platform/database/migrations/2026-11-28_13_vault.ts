/**
 * Pending repairs, and an encrypted check value for each ENCRYPTION_KEY, so that a start with a wrong key fails before
 * it does harm.
 */
export const vault = {
  name: '2026-11-28_13_vault',
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

create table encryption_key_check (
  key_id text primary key,
  sealed text not null
);
`,
};
