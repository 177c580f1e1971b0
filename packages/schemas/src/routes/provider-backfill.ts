import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { userParams } from '../parameters.js';
import { providerSchema } from '../words.js';

const CELLS = ['done', 'pending', 'timed_out', 'failed'] as const;
const STATES = ['pending', 'requested', 'covered', 'done', 'empty', 'failed', 'cancelled'] as const;

const backfillTypeSchema = z
  .object({
    type: z.string().meta({ description: 'Kind of data, as in the path of the retry' }),
    state: z.enum(STATES).meta({
      description:
        '`pending`: to be requested; `requested`: the vendor took it and the data are awaited; `covered`: it had been requested before; `done`: the data came; `empty`: none came within a day',
    }),
    items: z.int().meta({ description: 'Items of the window that arrived' }),
    start_date: instantSchema.meta({ description: 'Begin of what is requested' }),
    end_date: instantSchema.meta({ description: 'End of what is requested' }),
    requested_at: instantSchema.nullable().meta({ description: 'When the vendor took the request' }),
    first_item_at: instantSchema.nullable().meta({ description: 'When the first item arrived' }),
    last_item_at: instantSchema.nullable().meta({ description: 'When the last item arrived' }),
    error: z.string().nullable().meta({ description: 'Code of what went wrong' }),
  })
  .meta({ id: 'BackfillType' });

const backfillStatusSchema = z
  .object({
    user_id: uuidSchema,
    provider: z.string(),
    overall_status: z
      .enum(['pending', 'in_progress', 'retry_in_progress', 'complete', 'cancelled', 'permanently_failed'])
      .meta({ description: 'Of the run that is open, else of the last one; `pending` before the first' }),
    current_window: z.int().meta({ description: 'Always 0: all windows are requested side by side' }),
    total_windows: z.int().meta({ description: 'Always 1' }),
    windows: z.record(z.string(), z.record(z.string(), z.enum(CELLS))).meta({
      description: 'By the number of the window, then by kind of data; `timed_out`: nothing came within a day',
    }),
    summary: z
      .record(
        z.string(),
        z.object({
          done: z.int().meta({ description: '1 when its data came' }),
          timed_out: z.int().meta({ description: '1 when none came within a day' }),
          failed: z.int().meta({ description: '1 when it could not be requested' }),
        }),
      )
      .meta({ description: 'By kind of data' }),
    in_progress: z.boolean().meta({ description: 'Whether something is still awaited' }),
    retry_phase: z.boolean().meta({ description: 'Whether one kind of data is being requested again' }),
    retry_type: z.string().nullable().meta({ description: 'Which one' }),
    retry_window: z.int().nullable().meta({ description: 'Always 0 where one is requested again' }),
    attempt_count: z.int().meta({ description: '1 once something was requested' }),
    max_attempts: z.int().meta({ description: 'For existing clients; nothing counts by it' }),
    permanently_failed: z.boolean().meta({ description: 'Whether the last run got nothing' }),
    run_id: z.string().nullable().meta({ description: 'Id of that run, see `/api/v1/sync/runs/{run_id}`' }),
    outstanding: z.array(z.string()).meta({ description: 'Kinds of data that are still awaited' }),
    types: z.array(backfillTypeSchema).meta({ description: 'Each kind of data in more detail' }),
  })
  .meta({ id: 'BackfillStatus' });
export type BackfillStatus = z.infer<typeof backfillStatusSchema>;

const params = userParams.extend({ provider: providerSchema });
const runId = z.string().meta({ description: 'Id of the run, see `/api/v1/sync/runs/{run_id}`' });

export const providerBackfillRouteSchemas = {
  getBackfillStatus: { params, response: backfillStatusSchema },
  cancelBackfill: {
    params,
    response: z
      .object({ success: z.literal(true), user_id: uuidSchema, message: z.string(), run_id: runId })
      .meta({ id: 'BackfillCancelled' }),
  },
  retryBackfill: {
    params: params.extend({ type_name: z.string().meta({ description: 'Kind of data' }) }),
    response: z
      .object({
        success: z.literal(true),
        user_id: uuidSchema,
        type: z.string().meta({ description: 'Kind of data' }),
        status: z.literal('triggered'),
        message: z.string(),
        run_id: runId,
      })
      .meta({ id: 'BackfillRetried' }),
  },
};
