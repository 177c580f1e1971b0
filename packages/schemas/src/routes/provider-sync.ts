import { SYNC_STATUSES } from '@healthd/contract';
import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { itemCountsSchema } from '../item-counts.js';
import { boolParam, enumParam, intParam, userParams } from '../parameters.js';
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

export const providerSyncRouteSchemas = {
  requestProviderSync: {
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
  },
  requestHistoricalSync: {
    params: providerUserParams,
    query: z.object({ days: intParam({ min: 1, max: 365, default: 90 }) }),
    response: historicalSyncRequestedSchema,
  },
  listVendorWorkouts: {
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
  },
  getVendorWorkout: {
    params: providerUserParams.extend({
      workout_id: z.string().meta({ description: 'The vendor\u2019s id of the workout' }),
    }),
    query: z.object({ samples: ignoredFlag(), zones: ignoredFlag(), route: ignoredFlag() }),
    response: vendorAnswer,
  },
};
