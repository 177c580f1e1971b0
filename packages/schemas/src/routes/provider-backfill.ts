import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { userParams } from '../parameters.js';
import { defineRoute } from '../route.js';
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

const tag = 'Sync';

const path = '/api/v1/providers/{provider}/users/{user_id}/backfill';

const errors = [404, 501] as const;

export const getBackfillStatus = defineRoute({
  id: 'getBackfillStatus',
  method: 'GET',
  path: `${path}/status`,
  tag,
  summary: 'How far the past that a vendor exports is',
  description:
    'For vendors that export history on request and deliver it later; 501 for others. Each kind of data is requested once and arrives in minutes to hours; it counts as there when nothing came for six hours after the last of it. Before anything was requested the status is `pending`.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'sync_run', action: 'read' },
  status: 200,
  errors,
  params,
  response: backfillStatusSchema,
});

export const cancelBackfill = defineRoute({
  id: 'cancelBackfill',
  method: 'POST',
  path: `${path}/cancel`,
  tag,
  summary: 'Stop requesting the past of a user',
  description: 'The vendor still delivers what was requested before, and it is stored.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'health_data', action: 'import' },
  status: 200,
  errors: [404, 409, 501],
  params,
  response: z
    .object({ success: z.literal(true), user_id: uuidSchema, message: z.string(), run_id: runId })
    .meta({ id: 'BackfillCancelled' }),
});

export const retryBackfill = defineRoute({
  id: 'retryBackfill',
  method: 'POST',
  path: `${path}/{type_name}/retry`,
  tag,
  summary: 'Request the past of one kind of data again',
  description:
    'In the run that is open, or in one of its own. The vendor does not deliver a window again that it has accepted before.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'health_data', action: 'import' },
  status: 200,
  errors: [400, 404, 409, 501],
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
});
