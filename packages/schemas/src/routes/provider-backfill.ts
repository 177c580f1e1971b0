import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { userParams } from '../parameters.js';
import { defineRoute } from '../route.js';
import { providerSchema } from '../words.js';

const CELLS = ['done', 'pending', 'timed_out', 'failed'] as const;
const STATES = ['pending', 'requested', 'covered', 'done', 'empty', 'failed', 'cancelled'] as const;

const backfillTypeSchema = z
  .object({
    type: z.string().meta({ description: 'Data type, as in the retry route’s path' }),
    state: z.enum(STATES).meta({
      description:
        '`pending`: not yet requested. `requested`: the vendor accepted the request, and data is pending. `covered`: requested earlier. `done`: data arrived. `empty`: no data arrived within a day',
    }),
    items: z.int().meta({ description: 'Number of items that arrived' }),
    start_date: instantSchema.meta({ description: 'Start of the requested window' }),
    end_date: instantSchema.meta({ description: 'End of the requested window' }),
    requested_at: instantSchema.nullable().meta({ description: 'Time when the vendor accepted the request' }),
    first_item_at: instantSchema.nullable().meta({ description: 'Arrival of the first item' }),
    last_item_at: instantSchema.nullable().meta({ description: 'Arrival of the last item' }),
    error: z.string().nullable().meta({ description: 'Error code' }),
  })
  .meta({ id: 'BackfillType' });

const backfillStatusSchema = z
  .object({
    user_id: uuidSchema,
    provider: z.string(),
    overall_status: z
      .enum(['pending', 'in_progress', 'retry_in_progress', 'complete', 'cancelled', 'permanently_failed'])
      .meta({ description: 'Status of the open run, or of the last run; `pending` before the first' }),
    current_window: z.int().meta({ description: 'Always 0: all windows are requested in parallel' }),
    total_windows: z.int().meta({ description: 'Always 1' }),
    windows: z.record(z.string(), z.record(z.string(), z.enum(CELLS))).meta({
      description: 'Results by window number and data type; `timed_out` means that no data arrived within a day',
    }),
    summary: z
      .record(
        z.string(),
        z.object({
          done: z.int().meta({ description: '1 if data arrived' }),
          timed_out: z.int().meta({ description: '1 if no data arrived within a day' }),
          failed: z.int().meta({ description: '1 if the request failed' }),
        }),
      )
      .meta({ description: 'Results by data type' }),
    in_progress: z.boolean().meta({ description: 'True while data is pending' }),
    retry_phase: z.boolean().meta({ description: 'True while a data type is being retried' }),
    retry_type: z.string().nullable().meta({ description: 'Data type that is being retried' }),
    retry_window: z.int().nullable().meta({ description: 'Always 0 during a retry' }),
    attempt_count: z.int().meta({ description: '1 after the first request' }),
    max_attempts: z.int().meta({ description: 'For existing clients only; has no effect' }),
    permanently_failed: z.boolean().meta({ description: 'True if the last run received no data' }),
    run_id: z.string().nullable().meta({ description: 'Run ID, see `/api/v1/sync/runs/{run_id}`' }),
    outstanding: z.array(z.string()).meta({ description: 'Data types with pending data' }),
    types: z.array(backfillTypeSchema).meta({ description: 'Details by data type' }),
  })
  .meta({ id: 'BackfillStatus' });
export type BackfillStatus = z.infer<typeof backfillStatusSchema>;

const params = userParams.extend({ provider: providerSchema });
const runId = z.string().meta({ description: 'Run ID, see `/api/v1/sync/runs/{run_id}`' });

const tag = 'Sync';

const path = '/api/v1/providers/{provider}/users/{user_id}/backfill';

const errors = [404, 501] as const;

export const getBackfillStatus = defineRoute({
  id: 'getBackfillStatus',
  method: 'GET',
  path: `${path}/status`,
  tag,
  summary: 'Get the progress of a history export',
  description:
    'For vendors that export history on request and deliver it later; returns 501 for other vendors. Each data type is requested once and arrives in minutes to hours. It is complete when no item has arrived for six hours. Before the first request the status is `pending`.',
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
  summary: 'Cancel a history export',
  description: 'Sends no more requests. The service still stores deliveries for earlier requests.',
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
  summary: 'Request the history of one data type again',
  description:
    'Joins the open run, or creates one. The vendor does not deliver a window again that it has already accepted.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'health_data', action: 'import' },
  status: 200,
  errors: [400, 404, 409, 501],
  params: params.extend({ type_name: z.string().meta({ description: 'Data type' }) }),
  response: z
    .object({
      success: z.literal(true),
      user_id: uuidSchema,
      type: z.string().meta({ description: 'Data type' }),
      status: z.literal('triggered'),
      message: z.string(),
      run_id: runId,
    })
    .meta({ id: 'BackfillRetried' }),
});
