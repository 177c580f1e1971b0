/**
 * The folder of daemon/src that writes each table. Other folders call its functions with the client of their
 * transaction. Migrations, backup and restore write every table and are excluded.
 */
export const TABLE_WRITERS: Readonly<Record<string, string>> = {
  adopted_api_key: 'accounts',
  api_key: 'accounts',
  application: 'accounts',
  call_count: 'accounts',
  developer: 'accounts',
  developer_invitation: 'accounts',
  login_failure: 'accounts',
  refresh_token: 'accounts',
  unshown_first_account: 'accounts',
  user_invitation_code: 'accounts',

  encryption_key_check: 'app',
  schema_migration: 'platform/database',
  audit_event: 'audit',

  erasure: 'users',
  erasure_receipt: 'users',
  health_user: 'users',

  awaited_item: 'connections',
  connect_link: 'connections',
  connect_link_use: 'connections',
  connection: 'connections',
  connection_data_type: 'connections',
  oauth_state: 'connections',
  provider_setting: 'connections',
  request_budget: 'connections',

  device_type_priority: 'priorities',
  provider_priority: 'priorities',

  sync_event: 'runs',
  sync_run: 'runs',
  pull_progress: 'runs',

  device_batch: 'ingest/push',
  import_file: 'ingest/files',
  linked_run: 'ingest/pull',
  delivered_version: 'ingest/webhooks',
  notification_count: 'ingest/webhooks',
  webhook_delivery: 'ingest/webhooks',
  delivery_erasure: 'ingest/webhooks',
  webhook_delivery_share: 'ingest/webhooks',
  vendor_export: 'ingest/exports',
  provider_notification: 'ingest/pull',
  pull_run: 'ingest/pull',

  change: 'feed',
  day_digest: 'feed',
  expired_series: 'feed',
  feed_state: 'feed',
  user_digest: 'feed',
  user_events: 'feed',
  user_state: 'feed',

  archived_minute: 'store',
  data_source: 'store',
  day_archive: 'store',
  day_merged: 'store',
  day_minutes: 'store',
  day_value: 'store',
  health_score: 'store',
  menstrual_cycle: 'store',
  merged_archive: 'store',
  night_archive: 'store',
  night_source: 'store',
  night_value: 'store',
  offset_day: 'store',
  pending_repair: 'store',
  personal_record: 'store',
  push_device: 'store',
  pushed_sample: 'store',
  pushed_tombstone: 'store',
  pushed_range: 'store',
  repair_progress: 'store',
  sample: 'store',
  sample_extremes: 'store',
  session_tombstone: 'store',
  sleep_session: 'store',
  sleep_stage: 'store',
  source_alias: 'store',
  user_archive: 'store',
  workout: 'store',

  archival_setting: 'retention',

  trouble_snapshot: 'diagnosis',
};

/** Folders whose statements take the table name from a value, with the possible tables. */
export const NAMED_AT_RUN_TIME: Readonly<Record<string, string>> = {
  'platform/database': 'COPY into the table that the caller names',
  'platform/jobs': 'the table of the jobs, which Agenda makes',
  'store/archive': 'tables of health data',
  'store/facts': 'tables of sessions and samples',
  'store/write': 'tables of health data',
  'users/erasures': 'the two tables of erased users',
};
