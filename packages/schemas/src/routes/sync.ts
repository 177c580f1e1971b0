import { SYNC_SOURCES, SYNC_STAGES, SYNC_STATUSES } from '@healthd/contract';
import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { boolParam, intParam, userParams, uuidParam } from '../parameters.js';
import { problem } from '../problem.js';
import { defineRoute } from '../route.js';
import { providerSchema } from '../words.js';
import { momentParam } from './reading/moment.js';

/** What a run waits for while nothing of it is under way. */
export const retryingSchema = z
  .object({
    reason: z.string().meta({
      description:
        'Code of the cause, e.g. `rate_limited 429`, `unavailable 503`, `server_fault`, `service_stopping`; the `message` of the run says it in words',
    }),
    attempt: z
      .int()
      .min(1)
      .meta({ description: 'Number of the attempt to come; 1 was the first. Counts again once something was stored' }),
    max_attempts: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'After so many attempts the run ends; null where their number is not limited' }),
    next_try_at: instantSchema.meta({ description: 'When the attempt begins, at the earliest' }),
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
    description: 'Set while the run waits for another attempt after one that failed; its `status` is `in_progress`',
  }),
  started_at: instantSchema.nullable(),
  ended_at: instantSchema.nullable(),
};
const metadataSchema = z.record(z.string(), z.unknown()).meta({
  description:
    'What the run was given and what it reports. `items` of an ended run says what became of each item, see `ItemCounts`; `data_types` of one that reads from a vendor the state of each kind of data, see `DataTypeReport`; `reason` is a code where it did not succeed; `retry_of` and `confirms` name an earlier run. ' +
    'An import has `filename`, `byte_size` (bytes), `sha256`, `mode`, `dry_run` and, at its end, `records_per_second` and `report`: `seconds` that it took, `bytes` of the upload, `format`, `truncated` where the file ended early; numbers of `elements` by name, of rows `stored` by kind (`inserted`, `updated`, `unchanged`), of samples read (`samples_by_type`), of `rejected` items (`total`, `by_reason`, and the `first` hundred with their places), of `unsupported` ones by the vendor’s type, of `unsupported_elements` of the file by name and of `unsupported_files` of the archive by kind; of mode `replace` and dry runs the number of rows `gone` and the `changes` by series and month',
});

/** One step of a run, as the event list and the event stream have it. */
export const syncStatusEventSchema = z
  .object({ event_id: uuidSchema, ...runFields, metadata: metadataSchema, timestamp: instantSchema })
  .meta({ id: 'SyncStatusEvent' });
export type SyncStatusEvent = z.infer<typeof syncStatusEventSchema>;

/** How one run stands now. */
export const syncRunSummarySchema = z
  .object({ ...runFields, last_update: instantSchema })
  .meta({ id: 'SyncRunSummary' });
export type SyncRunSummary = z.infer<typeof syncRunSummarySchema>;

/** One run with what it was given and what it reports. */
export const syncRunSchema = z
  .object({ ...runFields, last_update: instantSchema, metadata: metadataSchema })
  .meta({ id: 'SyncRun' });
export type SyncRun = z.infer<typeof syncRunSchema>;

/** One of some words in a query; absent is undefined. */
function wordParam<const W extends readonly string[]>(words: W) {
  return z.enum(words).optional();
}

/** Which steps of runs are wanted. */
export const eventFilterParams = {
  provider: providerSchema.optional().describe('Only runs of this provider'),
  source: wordParam(SYNC_SOURCES).describe('Only runs of this kind'),
  status: wordParam(SYNC_STATUSES).describe('Only steps in this state'),
};

const retryingParam = boolParam(false).meta({ description: 'Only runs that wait for another attempt' });

const RUN_ID = /^[\w.:-]{1,128}$/;
const runIdParam = z.string().transform((text, context) => {
  if (RUN_ID.test(text)) return text;
  return problem(context, 'string_pattern_mismatch', `String should match pattern '${RUN_ID.source}'`, {
    pattern: RUN_ID.source,
  });
});

/** The run that a path names. */
export const runParams = z.object({ run_id: runIdParam });

/** Answer to a run that is to be repeated. */
export const runRetriedSchema = z
  .object({
    run_id: z.string().meta({ description: 'Id of the run that repeats it' }),
    retry_of: z.string().meta({ description: 'Id of the run that was named' }),
    user_id: uuidSchema,
    status: z.literal('in_progress'),
    message: z.string(),
  })
  .meta({ id: 'RunRetried' });
export type RunRetried = z.infer<typeof runRetriedSchema>;

/** One run with a row for each kind of data. */
export const syncHistorySchema = z
  .object({
    run_key: z.string().meta({ description: 'The `run_id`' }),
    user_id: uuidSchema,
    provider: z.string(),
    source: z.enum(SYNC_SOURCES),
    scope: z.enum(['historical', 'live']).meta({ description: 'Whether the run reads the past or what is new' }),
    status: z.enum(SYNC_STATUSES),
    message: z.string().nullable(),
    error: z.string().nullable(),
    started_at: instantSchema.nullable(),
    ended_at: instantSchema.nullable(),
    data_types: z
      .array(
        z.object({
          data_type: z.string().meta({ description: 'Kind of data' }),
          status: z.string().meta({ description: 'As in `metadata.data_types` of the run' }),
          items_processed: z.int().nullable().meta({ description: 'Items that were stored or changed' }),
          error: z.string().nullable(),
        }),
      )
      .meta({ description: 'A row for each kind of data that the run reads' }),
  })
  .meta({ id: 'SyncHistory' });
export type SyncHistory = z.infer<typeof syncHistorySchema>;

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
  params: userParams,
  query: z.object({ limit: intParam({ min: 1, max: 200, default: 20 }), retrying: retryingParam }),
  response: z.array(syncRunSummarySchema),
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
  params: userParams,
  query: z.object({ ...eventFilterParams, limit: intParam({ min: 1, max: 200, default: 50 }) }),
  response: z.array(syncStatusEventSchema),
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
  query: z.object({
    limit: intParam({ min: 1, max: 10_000, default: 50 }),
    user_id: uuidParam.optional(),
    provider: providerSchema.optional(),
    status: wordParam(SYNC_STATUSES),
    source: wordParam(SYNC_SOURCES),
    from: momentParam.optional().describe('Only runs that were created at this instant or later'),
    to: momentParam.optional().describe('Only runs that were created before this instant'),
    before: runIdParam.optional().describe('Only runs that come after this one in the list: the next page'),
    retrying: retryingParam,
    unresolved: boolParam(false).meta({
      description:
        'Only runs that failed in the last 24 hours, were not retried, and after which no run of the same user and provider brought data',
    }),
  }),
  response: z.array(syncRunSummarySchema),
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
  params: runParams,
  response: syncRunSchema,
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
  params: z.object({ run_key: runIdParam }),
  response: syncHistorySchema,
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
  params: runParams,
  response: runRetriedSchema,
});
