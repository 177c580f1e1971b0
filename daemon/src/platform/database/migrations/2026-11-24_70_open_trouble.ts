/** Finds runs that have not ended and kinds of data that fail without a look at all others. */
export const openTrouble = {
  name: '2026-11-24_70_open_trouble',
  sql: `
create index sync_run_open on sync_run (user_key, provider) where ended_at is null;
create index connection_data_type_failed on connection_data_type (connection_id) where last_outcome = 'failed';
`,
};
