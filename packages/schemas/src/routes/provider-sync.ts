import { SYNC_STATUSES } from '@healthd/contract';
import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { itemCountsSchema } from '../item-counts.js';
import { boolParam, enumParam, intParam, userParams } from '../parameters.js';
import { defineRoute } from '../route.js';
import { providerSchema } from '../words.js';

const providerUserParams = userParams.extend({ provider: providerSchema });
/** Latest time: the end of the year 9999. */
const LATEST_SECONDS = 253_402_300_799;
const runId = z.string().meta({ description: 'Run ID, see `/api/v1/sync/runs/{run_id}`' });
const taskId = z.string().meta({ description: 'Same as `run_id`' });

/** Result for one data type. */
export const dataTypeReportSchema = z
  .object({
    status: z
      .enum(['in_progress', 'success', 'partial', 'failed', 'skipped'])
      .meta({ description: 'Status; `in_progress` with an `error` means that a retry follows' }),
    inserted: z.int(),
    updated: z.int(),
    deleted: z.int(),
    windows: z.int(),
    received: z.int(),
    rejected: z.int(),
    items: itemCountsSchema.optional(),
    rejected_by_reason: z
      .record(z.string(), z.int())
      .optional()
      .meta({ description: 'Rejected items by reason: an error code, with the exceeded bound for implausible values' }),
    error: z.string().optional().meta({ description: 'Error code' }),
  })
  .meta({ id: 'DataTypeReport' });
export type DataTypeReport = z.infer<typeof dataTypeReportSchema>;

/** Response to a requested sync. */
export const syncRequestedSchema = z
  .object({
    success: z.boolean().meta({ description: 'False only if the run failed or timed out' }),
    async: z.boolean(),
    run_id: runId,
    task_id: taskId,
    message: z.string(),
    status: z.enum(SYNC_STATUSES).optional().meta({ description: 'Present only with async=false' }),
    details: z
      .object({
        workouts: z.int().optional().meta({ description: 'Number of new or changed workouts' }),
        data_247: z
          .record(z.string(), z.int())
          .optional()
          .meta({ description: 'Number of new or changed items of all other data types' }),
      })
      .optional()
      .meta({ description: 'Present only with async=false' }),
    data_types: z
      .record(z.string(), dataTypeReportSchema)
      .optional()
      .meta({ description: 'Present only with async=false' }),
  })
  .meta({ id: 'SyncRequested' });
export type SyncRequested = z.infer<typeof syncRequestedSchema>;

const ignored = { description: 'Accepted for existing clients and ignored', deprecated: true } as const;

/** Response to a requested backfill. */
export const historicalSyncRequestedSchema = z
  .object({
    success: z.literal(true),
    provider: z.string(),
    user_id: uuidSchema,
    method: z.enum(['pull_api', 'webhook_backfill']),
    run_id: runId,
    task_id: taskId,
    message: z.string(),
    days: z.int().optional().meta({ description: 'Number of days that are fetched; present only with `pull_api`' }),
    start_date: instantSchema.optional(),
    end_date: instantSchema.optional(),
  })
  .meta({ id: 'HistoricalSyncRequested' });
export type HistoricalSyncRequested = z.infer<typeof historicalSyncRequestedSchema>;

const ignoredFlag = () => boolParam(false).meta(ignored);
const ignoredVendorParameters = {
  offset: intParam({}).meta(ignored),
  filter_by_modification_time: boolParam(true).meta(ignored),
  samples: ignoredFlag(),
  zones: ignoredFlag(),
  route: ignoredFlag(),
  summary_start_time: z.string().optional().meta(ignored),
  summary_end_time: z.string().optional().meta(ignored),
};
const vendorAnswer = z.unknown().meta({ description: 'The vendor’s JSON, unchanged' });

const tag = 'Sync';

export const requestProviderSync = defineRoute({
  id: 'requestProviderSync',
  method: 'POST',
  path: '/api/v1/providers/{provider}/users/{user_id}/sync',
  tag,
  summary: 'Sync a user’s new data now',
  description:
    'Also works in webhook mode. Returns the run immediately. With `async=false`, waits up to two minutes for the run to end and returns the result of each data type. A repeated call returns the same run while it is open.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'health_data', action: 'import' },
  status: 200,
  errors: [400, 404, 409, 501],
  params: providerUserParams,
  query: z.object({
    data_type: enumParam(['workouts', '247', 'all'], 'all'),
    since: intParam({ min: 0, max: LATEST_SECONDS, default: 0 }).meta({
      description: 'Unix seconds; 0 continues after the last sync',
    }),
    async: boolParam(true),
    limit: intParam({ max: 100 }).meta(ignored),
    ...ignoredVendorParameters,
  }),
  response: syncRequestedSchema,
});

export const requestHistoricalSync = defineRoute({
  id: 'requestHistoricalSync',
  method: 'POST',
  path: '/api/v1/providers/{provider}/users/{user_id}/sync/historical',
  tag,
  summary: 'Backfill a user’s history',
  description:
    'Fetches the newest days first: at most 90 days, or as many as the vendor allows; the response contains the number. A vendor that exports history on request (`webhook_backfill`) exports all it has from before the consent, whatever `days` is, and delivers it in minutes to hours. Each user and provider has at most one open backfill.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'health_data', action: 'import' },
  status: 200,
  errors: [400, 404, 409],
  params: providerUserParams,
  query: z.object({ days: intParam({ min: 1, max: 365, default: 90 }) }),
  response: historicalSyncRequestedSchema,
});

const vendorWorkouts = {
  method: 'GET',
  tag,
  auth: 'key',
  scope: 'read',
  audit: { resource: 'workout', action: 'read' },
  status: 200,
  errors: [400, 404, 409, 501, 503],
} as const;

export const listVendorWorkouts = defineRoute({
  ...vendorWorkouts,
  id: 'listVendorWorkouts',
  path: '/api/v1/providers/{provider}/users/{user_id}/workouts',
  summary: 'List workouts in the vendor’s format',
  description:
    'Queries the vendor now, within its quota, and returns its JSON without storing it. Returns one page, newest first, with the vendor’s token for the next page. Returns 501 for providers without an API for this. `/api/v1/users/{user_id}/events/workouts` lists the stored workouts of all providers.',
  params: providerUserParams,
  query: z.object({
    since: intParam({ min: 0, max: LATEST_SECONDS, default: 0 }).meta({
      description: 'Earliest start in Unix seconds; 0 uses the vendor’s default',
    }),
    limit: intParam({ min: 1, max: 100, default: 50 }).meta({
      description: 'Maximum number of results. Most vendors return at most 25 per page',
    }),
    page_token: z.string().max(4_096).optional().meta({ description: 'The vendor’s page token' }),
    ...ignoredVendorParameters,
  }),
  response: vendorAnswer,
});

export const getVendorWorkout = defineRoute({
  ...vendorWorkouts,
  id: 'getVendorWorkout',
  path: '/api/v1/providers/{provider}/users/{user_id}/workouts/{workout_id}',
  summary: 'Get a workout in the vendor’s format',
  description:
    'Queries the vendor now, by the vendor’s workout ID. Returns 501 for providers without an API for this. `/api/v1/users/{user_id}/events/workouts/{workout_id}` returns the stored workout.',
  params: providerUserParams.extend({
    workout_id: z.string().meta({ description: 'The vendor’s workout ID' }),
  }),
  query: z.object({ samples: ignoredFlag(), zones: ignoredFlag(), route: ignoredFlag() }),
  response: vendorAnswer,
});
