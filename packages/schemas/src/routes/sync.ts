import { SYNC_SOURCES, SYNC_STAGES, SYNC_STATUSES } from '@healthd/contract';
import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { boolParam, intParam, userParams, uuidParam } from '../parameters.js';
import { problem } from '../problem.js';
import { defineRoute } from '../route.js';
import { providerSchema } from '../words.js';
import { momentParam } from './reading/moment.js';

/** Details of a pending retry. */
export const retryingSchema = z
  .object({
    reason: z.string().meta({
      description:
        'Error code, for example `rate_limited 429`, `unavailable 503`, `server_fault`, `service_stopping`; the run’s `message` explains it',
    }),
    attempt: z.int().min(1).meta({ description: 'Number of the next attempt, from 1. Restarts after data was stored' }),
    max_attempts: z.int().min(1).nullable().meta({ description: 'Maximum number of attempts; null if unlimited' }),
    next_try_at: instantSchema.meta({ description: 'Earliest time of the next attempt' }),
  })
  .meta({ id: 'Retrying' });
export type Retrying = z.infer<typeof retryingSchema>;

const runFields = {
  run_id: z.string(),
  user_id: uuidSchema,
  provider: z.string(),
  source: z.enum(SYNC_SOURCES),
  stage: z.enum(SYNC_STAGES),
  status: z.enum(SYNC_STATUSES),
  message: z.string().nullable(),
  progress: z.number().min(0).max(1).nullable(),
  items_processed: z.int().min(0).nullable(),
  items_total: z.int().min(0).nullable(),
  error: z.string().nullable(),
  primary_user_id: uuidSchema.nullable(),
  retrying: retryingSchema.nullable().meta({
    description: 'Set while the run waits for a retry; its `status` is then `in_progress`',
  }),
  started_at: instantSchema.nullable(),
  ended_at: instantSchema.nullable(),
};
const metadataSchema = z.record(z.string(), z.unknown()).meta({
  description:
    'Input and report of the run. `items` of an ended run contains the number of items by outcome, see `ItemCounts`. `data_types` of a sync contains the state of each data type, see `DataTypeReport`. `reason` is a code if the run did not succeed. `retry_of` and `confirms` are IDs of earlier runs. An import has `filename`, `byte_size`, `sha256`, `mode` and `dry_run`, and when it ends `records_per_second` and `report`. The report contains: `seconds` of the import; `bytes` and `format` of the upload; `truncated` if the file is incomplete; the number of `elements` by name; rows `stored` by type (`inserted`, `updated`, `unchanged`); samples read (`samples_by_type`); `rejected` items (`total`, `by_reason` and the `first` hundred with their positions); `unsupported` items by the vendor’s type; `unsupported_elements` by name; `unsupported_files` of the archive by type; and `contents` with the outcome of every element and file: `elements`, `parts` and `files` are lists of `{name, read, imported, rejected, not_imported}`, where `not_imported` has the count by reason and the counts add up to `read`. Mode `replace` and dry runs add the number of `gone` rows and `changes` by series and month',
});

/** Event of a run, in the event list and stream. */
export const syncStatusEventSchema = z
  .object({ event_id: uuidSchema, ...runFields, metadata: metadataSchema, timestamp: instantSchema })
  .meta({ id: 'SyncStatusEvent' });
export type SyncStatusEvent = z.infer<typeof syncStatusEventSchema>;

/** Current state of a run. */
export const syncRunSummarySchema = z
  .object({ ...runFields, last_update: instantSchema })
  .meta({ id: 'SyncRunSummary' });
export type SyncRunSummary = z.infer<typeof syncRunSummarySchema>;

/** Run with its input and report. */
export const syncRunSchema = z
  .object({ ...runFields, last_update: instantSchema, metadata: metadataSchema })
  .meta({ id: 'SyncRun' });
export type SyncRun = z.infer<typeof syncRunSchema>;

/** Optional enum in a query. */
function wordParam<const W extends readonly string[]>(words: W) {
  return z.enum(words).optional();
}

/** Filters for run events. */
export const eventFilterParams = {
  provider: providerSchema.optional().describe('Only return runs of this provider'),
  source: wordParam(SYNC_SOURCES).describe('Only return runs of this type'),
  status: wordParam(SYNC_STATUSES).describe('Only return events with this status'),
};

const retryingParam = boolParam(false).meta({ description: 'Only return runs that are waiting for a retry' });

const RUN_ID = /^[\w.:-]{1,128}$/;
const runIdParam = z.string().transform((text, context) => {
  if (RUN_ID.test(text)) return text;
  return problem(context, 'string_pattern_mismatch', `String should match pattern '${RUN_ID.source}'`, {
    pattern: RUN_ID.source,
  });
});

export const runParams = z.object({ run_id: runIdParam });

/** Response to a retry. */
export const runRetriedSchema = z
  .object({
    run_id: z.string().meta({ description: 'ID of the new run' }),
    retry_of: z.string().meta({ description: 'ID of the retried run' }),
    user_id: uuidSchema,
    status: z.literal('in_progress'),
    message: z.string(),
  })
  .meta({ id: 'RunRetried' });
export type RunRetried = z.infer<typeof runRetriedSchema>;

/** Run with a row per data type. */
export const syncHistorySchema = z
  .object({
    run_key: z.string().meta({ description: 'Same as `run_id`' }),
    user_id: uuidSchema,
    provider: z.string(),
    source: z.enum(SYNC_SOURCES),
    scope: z.enum(['historical', 'live']).meta({ description: '`historical` for a backfill, `live` for new data' }),
    status: z.enum(SYNC_STATUSES),
    message: z.string().nullable(),
    error: z.string().nullable(),
    started_at: instantSchema.nullable(),
    ended_at: instantSchema.nullable(),
    data_types: z
      .array(
        z.object({
          data_type: z.string().meta({ description: 'Data type' }),
          status: z.string().meta({ description: 'Status as in the run’s `metadata.data_types`' }),
          items_processed: z.int().nullable().meta({ description: 'Number of new or changed items' }),
          error: z.string().nullable(),
        }),
      )
      .meta({ description: 'One row per data type of the run' }),
  })
  .meta({ id: 'SyncHistory' });
export type SyncHistory = z.infer<typeof syncHistorySchema>;

export const listUserSyncRuns = defineRoute({
  id: 'listUserSyncRuns',
  method: 'GET',
  path: '/api/v1/users/{user_id}/sync/runs',
  tag: 'Sync status',
  summary: 'List a user’s runs, newest first',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'sync_run', action: 'read' },
  status: 200,
  errors: [404],
  params: userParams,
  query: z.object({ limit: intParam({ min: 1, max: 200, default: 20 }), retrying: retryingParam }),
  response: z.array(syncRunSummarySchema),
});

export const listRecentSyncEvents = defineRoute({
  id: 'listRecentSyncEvents',
  method: 'GET',
  path: '/api/v1/users/{user_id}/sync/recent',
  tag: 'Sync status',
  summary: 'List a user’s latest run events, newest first',
  description: 'Searches the user’s newest 10,000 events.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'sync_run', action: 'read' },
  status: 200,
  errors: [404],
  params: userParams,
  query: z.object({ ...eventFilterParams, limit: intParam({ min: 1, max: 200, default: 50 }) }),
  response: z.array(syncStatusEventSchema),
});

export const listSyncRuns = defineRoute({
  id: 'listSyncRuns',
  method: 'GET',
  path: '/api/v1/sync/runs',
  tag: 'Sync status',
  summary: 'List all users’ runs, newest first',
  description:
    'Returns an empty list for an unknown `user_id`. For the next page, pass the `run_id` of the last run as `before`.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'sync_run', action: 'read' },
  status: 200,
  query: z.object({
    limit: intParam({ min: 1, max: 10_000, default: 50 }),
    user_id: uuidParam.optional(),
    provider: providerSchema.optional(),
    status: wordParam(SYNC_STATUSES),
    source: wordParam(SYNC_SOURCES),
    from: momentParam.optional().describe('Only return runs created at or after this time'),
    to: momentParam.optional().describe('Only return runs created before this time'),
    before: runIdParam.optional().describe('Only return runs that follow this one in the list: the next page'),
    retrying: retryingParam,
    unresolved: boolParam(false).meta({
      description:
        'Only return runs that failed in the last 24 hours, were not retried, and were not followed by a run of the same user and provider that stored data',
    }),
  }),
  response: z.array(syncRunSummarySchema),
});

export const getSyncRun = defineRoute({
  id: 'getSyncRun',
  method: 'GET',
  path: '/api/v1/sync/runs/{run_id}',
  tag: 'Sync status',
  summary: 'Get a run with its report',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'sync_run', action: 'read' },
  status: 200,
  errors: [404],
  params: runParams,
  response: syncRunSchema,
});

export const getSyncHistory = defineRoute({
  id: 'getSyncHistory',
  method: 'GET',
  path: '/api/v1/sync/history/{run_key}',
  tag: 'Sync status',
  summary: 'Get a run with a row per data type',
  description:
    'The same run as `/api/v1/sync/runs/{run_id}`, in the format of the compatible API. Runs without data types, such as pushes and imports, have no rows.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'sync_run', action: 'read' },
  status: 200,
  errors: [404],
  params: z.object({ run_key: runIdParam }),
  response: syncHistorySchema,
});

export const retrySyncRun = defineRoute({
  id: 'retrySyncRun',
  method: 'POST',
  path: '/api/v1/sync/runs/{run_id}/retry',
  tag: 'Sync status',
  summary: 'Retry a run that failed or was incomplete',
  description:
    'Creates a run whose `metadata.retry_of` contains this run’s ID. It processes the received data again: an import’s stored file, a device batch’s stored body, or the missing part of a delivery. For a sync, it fetches the failed data types again. Nothing is stored twice, and newer values are kept. A repeated call returns the new run while it is open. Returns 409 if the run is open, succeeded, was cancelled or already retried, if a newer import in mode `replace` replaced its file’s data, or if its connection has ended; 410 if the file or body is no longer stored (`FAILED_UPLOAD_RETENTION_DAYS`).',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'health_data', action: 'import' },
  status: 202,
  errors: [404, 409, 410],
  params: runParams,
  response: runRetriedSchema,
});
