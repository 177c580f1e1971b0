import { SYNC_STATUSES } from '@healthd/contract';
import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { itemCountsSchema } from '../item-counts.js';
import { boolParam, enumParam, intParam, userParams } from '../parameters.js';
import { defineRoute } from '../route.js';
import { providerSchema } from '../words.js';

const providerUserParams = userParams.extend({ provider: providerSchema });
/** End of the year 9999. */
const LATEST_SECONDS = 253_402_300_799;
const runId = z.string().meta({ description: 'Id of the run, see `/api/v1/sync/runs/{run_id}`' });
const taskId = z.string().meta({ description: 'The same as `run_id`' });

/** How one kind of data ended. */
export const dataTypeReportSchema = z
  .object({
    status: z
      .enum(['in_progress', 'success', 'partial', 'failed', 'skipped'])
      .meta({ description: '`in_progress` with an `error`: another attempt follows' }),
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
      .meta({ description: 'Rejected items by reason: a code, with the bound that an implausible value breaks' }),
    error: z.string().optional().meta({ description: 'Code of what went wrong' }),
  })
  .meta({ id: 'DataTypeReport' });
export type DataTypeReport = z.infer<typeof dataTypeReportSchema>;

/** Answer to a pull that was requested. */
export const syncRequestedSchema = z
  .object({
    success: z.boolean().meta({ description: 'False only when the run failed, or has not ended in time' }),
    async: z.boolean(),
    run_id: runId,
    task_id: taskId,
    message: z.string(),
    status: z.enum(SYNC_STATUSES).optional().meta({ description: 'Only with async=false' }),
    details: z
      .object({
        workouts: z.int().optional().meta({ description: 'Workouts that were stored or changed' }),
        data_247: z.record(z.string(), z.int()).optional().meta({ description: 'The same of all other kinds of data' }),
      })
      .optional()
      .meta({ description: 'Only with async=false' }),
    data_types: z.record(z.string(), dataTypeReportSchema).optional().meta({ description: 'Only with async=false' }),
  })
  .meta({ id: 'SyncRequested' });
export type SyncRequested = z.infer<typeof syncRequestedSchema>;

const ignored = { description: 'Taken for the sake of existing clients and ignored', deprecated: true } as const;

/** Answer to a backfill that was requested. */
export const historicalSyncRequestedSchema = z
  .object({
    success: z.literal(true),
    provider: z.string(),
    user_id: uuidSchema,
    method: z.enum(['pull_api', 'webhook_backfill']),
    run_id: runId,
    task_id: taskId,
    message: z.string(),
    days: z.int().optional().meta({ description: 'Days that are really read; only with `pull_api`' }),
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
const vendorAnswer = z.unknown().meta({ description: 'JSON of the vendor, unchanged' });

const tag = 'Sync';

export const requestProviderSync = defineRoute({
  id: 'requestProviderSync',
  method: 'POST',
  path: '/api/v1/providers/{provider}/users/{user_id}/sync',
  tag,
  summary: 'Read new data of a user from the vendor now',
  description:
    'Works in webhook mode too. The answer comes immediately and names the run; with `async=false` it waits for the end of the run, for two minutes at most, and says what became of each kind of data. A second call while such a run is open answers with that run.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'health_data', action: 'import' },
  status: 200,
  errors: [400, 404, 409, 501],
  params: providerUserParams,
  query: z.object({
    data_type: enumParam(['workouts', '247', 'all'], 'all'),
    since: intParam({ min: 0, max: LATEST_SECONDS, default: 0 }).meta({
      description: 'Unix seconds; 0 goes on where the last pull ended',
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
  summary: 'Read the past of a user from the vendor',
  description:
    'Newest days first. At most 90 days are read, or as many as the vendor gives; the answer says how many. A vendor that exports the past on request (`webhook_backfill`) is asked for all that it gives before the consent, regardless of `days`, and delivers it in minutes to hours. One such run is open for a user and provider at most.',
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
  summary: 'Workouts in the vendor’s own form',
  description:
    'The vendor is asked now, within its quota, and its JSON is handed on; nothing of it is stored. One page, newest first, with the vendor\u2019s own token of the next one. 501 for providers that cannot be asked; `/api/v1/users/{user_id}/events/workouts` has the stored workouts of all.',
  params: providerUserParams,
  query: z.object({
    since: intParam({ min: 0, max: LATEST_SECONDS, default: 0 }).meta({
      description: 'Unix seconds; workouts from then on. 0: as far back as the vendor goes by itself',
    }),
    limit: intParam({ min: 1, max: 100, default: 50 }).meta({
      description: 'So many at most; vendors give fewer in one page, mostly 25',
    }),
    page_token: z.string().max(4_096).optional().meta({ description: 'The vendor\u2019s token of the page' }),
    ...ignoredVendorParameters,
  }),
  response: vendorAnswer,
});

export const getVendorWorkout = defineRoute({
  ...vendorWorkouts,
  id: 'getVendorWorkout',
  path: '/api/v1/providers/{provider}/users/{user_id}/workouts/{workout_id}',
  summary: 'One workout as the vendor words it',
  description:
    'The vendor is asked now, by its own id of the workout. 501 for providers that cannot be asked; `/api/v1/users/{user_id}/events/workouts/{workout_id}` has the stored form.',
  params: providerUserParams.extend({
    workout_id: z.string().meta({ description: 'The vendor\u2019s id of the workout' }),
  }),
  query: z.object({ samples: ignoredFlag(), zones: ignoredFlag(), route: ignoredFlag() }),
  response: vendorAnswer,
});
