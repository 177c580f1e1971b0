/**
 * How many requests were sent, beside the tokens of each budget: of the window under way, which `window_no` counts since
 * 1970, and of the one before. `waits_as` is the priority of a run that waits for the application's quota.
 */
export const requestCounts = {
  name: '2026-11-24_60_request_counts',
  sql: `
alter table request_budget
  add column window_no bigint not null default 0,
  add column spent bigint not null default 0,
  add column spent_before bigint not null default 0;

alter table pull_run
  add column waits_as text check (waits_as in ('manual', 'first_sync', 'webhook', 'live', 'backfill'));
create index pull_run_waiting on pull_run (waits_as, resume_at) where waits_as is not null;
`,
};
