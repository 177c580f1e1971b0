/**
 * Ended runs whose bytes are kept can be retried: when that was asked for, and which run a retry repeats. The file of an
 * import that stored a part of it is kept as that of a failed one is.
 */
export const retries = {
  name: '2026-11-22_40_retries',
  sql: `
alter table import_file add column retried_at timestamptz;
alter table import_file drop constraint import_file_state_check;
alter table import_file add constraint import_file_state_check
  check (state in ('received', 'done', 'partial', 'failed'));
alter table device_batch add column retried_at timestamptz;
create index sync_run_retry on sync_run ((metadata ->> 'retry_of')) where metadata ? 'retry_of';
`,
};
