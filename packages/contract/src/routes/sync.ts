import { defineRoute } from '../route.js';

/** How data came in. */
export const SYNC_SOURCES = ['pull', 'webhook', 'sdk', 'backfill', 'xml_import', 'linked_account'] as const;
export type SyncSource = (typeof SYNC_SOURCES)[number];

/** Where a run is; the last three are final. */
export const SYNC_STAGES = [
  'queued',
  'started',
  'fetching',
  'processing',
  'saving',
  'completed',
  'failed',
  'cancelled',
] as const;
export type SyncStage = (typeof SYNC_STAGES)[number];

/** How a run stands or ended. */
export const SYNC_STATUSES = ['in_progress', 'success', 'partial', 'failed', 'cancelled', 'skipped'] as const;
export type SyncStatus = (typeof SYNC_STATUSES)[number];

export const listUserSyncRuns = defineRoute({
  id: 'listUserSyncRuns',
  method: 'GET',
  path: '/api/v1/users/{user_id}/sync/runs',
  tag: 'Sync status',
  summary: 'Runs of a user, newest first',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'sync_run', action: 'read' },
  status: 200,
  errors: [404],
});

export const listRecentSyncEvents = defineRoute({
  id: 'listRecentSyncEvents',
  method: 'GET',
  path: '/api/v1/users/{user_id}/sync/recent',
  tag: 'Sync status',
  summary: 'Latest steps of all runs of a user, newest first',
  description: 'Steps that pass the filters are looked for among the newest 10,000 of the user.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'sync_run', action: 'read' },
  status: 200,
  errors: [404],
});

export const listSyncRuns = defineRoute({
  id: 'listSyncRuns',
  method: 'GET',
  path: '/api/v1/sync/runs',
  tag: 'Sync status',
  summary: 'Runs of all users, newest first',
  description:
    'An unknown `user_id` gives an empty list. For the next page give `before`, the `run_id` of the last run of this one.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'sync_run', action: 'read' },
  status: 200,
});

export const getSyncRun = defineRoute({
  id: 'getSyncRun',
  method: 'GET',
  path: '/api/v1/sync/runs/{run_id}',
  tag: 'Sync status',
  summary: 'One run with its report',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'sync_run', action: 'read' },
  status: 200,
  errors: [404],
});

export const getSyncHistory = defineRoute({
  id: 'getSyncHistory',
  method: 'GET',
  path: '/api/v1/sync/history/{run_key}',
  tag: 'Sync status',
  summary: 'One run with a row for each kind of data',
  description:
    'The same run as `/api/v1/sync/runs/{run_id}`, as clients of the compatible API read it. A run that does not tell kinds of data apart, such as a push or an import, has no rows.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'sync_run', action: 'read' },
  status: 200,
  errors: [404],
});

export const retrySyncRun = defineRoute({
  id: 'retrySyncRun',
  method: 'POST',
  path: '/api/v1/sync/runs/{run_id}/retry',
  tag: 'Sync status',
  summary: 'Repeat a run that failed or stored only a part',
  description:
    'Works on what was received once more, as a run of its own whose `metadata.retry_of` names this one: the stored file of an import, the stored body of a device batch, what of a delivery was not stored; of a run that read from a vendor, the kinds of data that could not be read. What is stored already is not stored twice, and values that newer data brought since stay. A second call while the new run is open answers with it. 409: the run has not ended, succeeded, was cancelled or was retried already, or its connection has ended; 410: the file or body is no longer stored (`FAILED_UPLOAD_RETENTION_DAYS`).',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'health_data', action: 'import' },
  status: 202,
  errors: [404, 409, 410],
});
