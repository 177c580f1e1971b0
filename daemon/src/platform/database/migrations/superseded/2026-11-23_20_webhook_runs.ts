export const webhookRuns = {
  name: '2026-11-23_20_webhook_runs',
  sql: `
-- While a long run reads again what a vendor told of, what it tells of next has a run of its own.
alter table pull_run drop constraint pull_run_connection_id_kind_key;
create unique index pull_run_one_of_kind on pull_run (connection_id, kind) where kind <> 'webhook';
create index pull_run_connection on pull_run (connection_id);`,
};
