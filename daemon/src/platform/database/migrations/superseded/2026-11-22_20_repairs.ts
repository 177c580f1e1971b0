/** Data that an earlier version stored wrong is put right once, user by user, by a job. */
export const repairs = {
  name: '2026-11-22_20_repairs',
  sql: `
-- What is left to do. A later fault adds rows under another name in its own migration.
create table pending_repair (
  user_key bigint not null,
  repair text not null,
  retry_at timestamptz not null default now(),
  primary key (user_key, repair)
);
create index pending_repair_due on pending_repair (retry_at);

-- Naps became nights when data arrived over several days.
insert into pending_repair (user_key, repair) select user_key, 'judge_naps' from health_user;
`,
};
