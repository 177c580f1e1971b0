/**
 * Which folders of daemon/src write which table. A table has one folder; where several are named, a comment says why.
 * Migrations, backup and restore write every table and are left out.
 */
export const TABLE_WRITERS: Readonly<Record<string, readonly string[]>> = {
  adopted_api_key: ['accounts'],
  api_key: ['accounts'],
  application: ['accounts'],
  call_count: ['accounts'],
  developer: ['accounts'],
  developer_invitation: ['accounts'],
  login_failure: ['accounts'],
  refresh_token: ['accounts', 'users'], // the sessions of a user end with the user
  unshown_first_account: ['accounts'],
  user_invitation_code: ['accounts'],

  encryption_key_check: ['app'],
  schema_migration: ['platform/database'],
  audit_event: ['audit'],

  erasure: ['users'],
  health_user: ['users'],

  // The zone that a phone tells comes with its samples, and is stored in their transaction.
  connection: ['connections', 'store/facts'],
  connection_data_type: ['connections', 'ingest/pull'], // cursors move with what is read, and end with the consent
  oauth_state: ['connections'],
  provider_setting: ['connections'],
  request_budget: ['connections'],

  device_type_priority: ['priorities'],
  provider_priority: ['priorities', 'store/facts'], // the first source of a provider gives it a place in the list

  sync_event: ['runs'],
  sync_run: ['runs'],
  pull_progress: ['runs', 'ingest/pull'], // `runs` keeps the counts, `ingest/pull` ends what it reads no more

  device_batch: ['ingest/push'],
  import_file: ['ingest/files', 'users'], // the files of a user end with the user
  linked_run: ['ingest/pull'],
  // A vendor reports, a run reads, and what concerns an erased user ends with the user.
  provider_notification: ['ingest/webhooks', 'ingest/pull', 'users'],
  pull_run: ['ingest/pull'],

  archived_minute: ['store'],
  data_source: ['store'],
  day_archive: ['store'],
  day_merged: ['store'],
  day_minutes: ['store'],
  day_value: ['store'],
  health_score: ['store'],
  menstrual_cycle: ['store'],
  merged_archive: ['store'],
  night_archive: ['store'],
  night_value: ['store'],
  offset_day: ['store'],
  pending_repair: ['store', 'repairs'], // the store asks for a repair, the repair takes it off the list
  personal_record: ['store'],
  sample: ['store'],
  sample_extremes: ['store'],
  session_tombstone: ['store'],
  sleep_session: ['store'],
  sleep_stage: ['store'],
  source_alias: ['store'],
  user_archive: ['store'],
  workout: ['store'],

  archival_setting: ['retention'],
};

/** Folders whose statements take the name of the table from a value, and which tables these can be. */
export const NAMED_AT_RUN_TIME: Readonly<Record<string, string>> = {
  'platform/database': 'COPY into the table that the caller names',
  'platform/jobs': 'the table of the jobs, which Agenda makes',
  'store/archive': 'tables of health data',
  'store/facts': 'tables of sessions and samples',
  'store/write': 'tables of health data',
  priorities: 'the two tables of priorities',
  'users/erasures': 'the two tables of erased users',
};
