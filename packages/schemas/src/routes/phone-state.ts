import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';

/** Features of the push contract. Clients check for a feature before they use it, because older services lack it. */
export const acceptsSchema = z.array(z.string()).meta({
  description:
    'Features of the push contract that this service supports: `records`, `sleep`, `workouts`, `deleted`, `gzip`, `idempotency_key`, `device_id`. More may be added',
});

const limitsSchema = z
  .object({
    max_body_bytes: z.int().meta({ description: 'Maximum body size in bytes, compressed and uncompressed' }),
    max_deletions: z.int().meta({ description: 'Maximum number of `deleted` entries in one batch' }),
    max_deleted_range_days: z.int().meta({ description: 'Maximum range of a deletion in days' }),
    max_sessions_of_night: z
      .int()
      .meta({ description: 'Maximum number of sleep sessions with a `parentId` in one night' }),
    max_stages_of_night: z.int().meta({ description: 'Maximum number of sleep stages in one night' }),
    max_readings_of_instant: z.int().meta({
      description: 'Maximum number of readings of one type that start in the same millisecond',
    }),
    max_sessions_of_second: z.int().meta({ description: 'Maximum number of workouts that start in the same second' }),
    max_parts_of_workout: z
      .int()
      .meta({ description: 'Maximum number of events in one workout, such as pauses and laps' }),
    max_sources: z.int().meta({ description: 'Maximum number of apps and devices per user and store' }),
  })
  .meta({
    id: 'PushLimits',
    description:
      'The limits on items with equal times apply to each source. Items over a limit are rejected with `too_many`',
  });

const storedTypeSchema = z
  .object({
    type: z.string().meta({ description: 'Series code, `sleep` for sleep stages, or `workouts`' }),
    ids: z.int().meta({ description: 'Number of distinct item IDs pushed by this phone and stored' }),
    newest: instantSchema.meta({ description: 'Start of the newest stored item that this phone pushed' }),
  })
  .meta({ id: 'PhoneStoredType' });

const phoneBatchSchema = z
  .object({
    batch_id: uuidSchema.meta({ description: 'Batch ID and run ID' }),
    received_at: instantSchema.meta({ description: 'Time when the service received the batch' }),
    ended_at: instantSchema.nullable(),
    status: z
      .enum(['queued', 'in_progress', 'success', 'partial', 'failed', 'cancelled'])
      .meta({ description: 'Status of the batch; `queued` or `in_progress` until it is processed' }),
    reason: z.string().nullable().meta({
      description:
        'Reason why the whole batch failed: `connection_revoked`, `decide_limit_exceeded`, `envelope_invalid` or `gave_up`',
    }),
    counts: z.record(z.string(), z.int()).meta({
      description: 'Counts from the run: `records_saved`, `sleep_saved`, `workouts_saved`, `deleted` and others',
    }),
    codes: z.record(z.string(), z.int()).meta({ description: 'Number of rejected items by code' }),
  })
  .meta({ id: 'PhoneBatch' });

const phoneStoreSchema = z
  .object({
    provider: z.string().meta({ description: 'Health store: `apple`, `samsung` or `google`' }),
    is_stopped: z.boolean().meta({
      description:
        'True if the user disconnected the store. Pushes are then rejected until the phone gets a new user token',
    }),
    record_types: z.array(z.string()).meta({ description: 'Accepted values for a record’s `type`' }),
    stored: z.array(storedTypeSchema).meta({ description: 'Data stored from this phone, by type' }),
    batches: z.array(phoneBatchSchema).meta({ description: 'This phone’s last five batches, newest first' }),
  })
  .meta({ id: 'PhoneStore' });

export const phoneStateSchema = z
  .object({
    user_id: uuidSchema,
    device_id: z.string().nullable().meta({ description: 'The phone’s `X-Device-ID`' }),
    accepts: acceptsSchema,
    limits: limitsSchema.meta({ description: 'Limits of one push' }),
    providers: z.array(phoneStoreSchema),
  })
  .meta({ id: 'PhoneState', description: 'Server-side state of one phone. Contains no health values' });
export type PhoneState = z.infer<typeof phoneStateSchema>;
