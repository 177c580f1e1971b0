import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';

/** What a push may hold. Clients look for a word before they send what older services do not know. */
export const acceptsSchema = z.array(z.string()).meta({
  description:
    'Features of the push contract that this service has: `records`, `sleep`, `workouts`, `deleted`, `gzip`, ' +
    '`idempotency_key`, `device_id`. Others may be added',
});

const limitsSchema = z
  .object({
    max_body_bytes: z.int().meta({ description: 'Largest body in bytes, before and after unpacking' }),
    max_deletions: z.int().meta({ description: 'Entries of `deleted` in one batch' }),
    max_deleted_range_days: z.int().meta({ description: 'Longest range of a deletion, in days' }),
    max_sessions_of_night: z.int().meta({ description: 'Sessions with an id among the stages of one night' }),
    max_stages_of_night: z.int().meta({ description: 'Stages of sleep of one night' }),
    max_readings_of_instant: z.int().meta({
      description: 'Readings of one type that start in the same millisecond',
    }),
    max_sessions_of_second: z.int().meta({ description: 'Workouts that start in the same second' }),
    max_parts_of_workout: z.int().meta({ description: 'Events of one workout, such as pauses and laps' }),
    max_sources: z.int().meta({ description: 'Apps and devices of one user and store' }),
  })
  .meta({
    id: 'PushLimits',
    description: 'Items that collide are counted per source. Items beyond a limit are rejected with `too_many`',
  });

const storedTypeSchema = z
  .object({
    type: z.string().meta({ description: 'Code of the series, `sleep` for stages of sleep, or `workouts`' }),
    ids: z.int().meta({ description: 'Different ids of items that this phone pushed and that are stored' }),
    newest: instantSchema.meta({ description: 'Start of the newest item that this phone pushed and that is stored' }),
  })
  .meta({ id: 'PhoneStoredType' });

const phoneBatchSchema = z
  .object({
    batch_id: uuidSchema.meta({ description: 'Id of the batch and of its run' }),
    received_at: instantSchema.meta({ description: 'When the service received the batch' }),
    ended_at: instantSchema.nullable(),
    status: z
      .enum(['queued', 'in_progress', 'success', 'partial', 'failed', 'cancelled'])
      .meta({ description: '`queued` and `in_progress` until the batch is processed' }),
    reason: z.string().nullable().meta({
      description:
        'Why the whole batch failed: `connection_revoked`, `decide_limit_exceeded`, `envelope_invalid` or `gave_up`',
    }),
    counts: z.record(z.string(), z.int()).meta({
      description: 'What the run reports: `records_saved`, `sleep_saved`, `workouts_saved`, `deleted` and others',
    }),
    codes: z.record(z.string(), z.int()).meta({ description: 'Number of rejected items by code' }),
  })
  .meta({ id: 'PhoneBatch' });

const phoneStoreSchema = z
  .object({
    provider: z.string().meta({ description: 'Health store: `apple`, `samsung` or `google`' }),
    is_stopped: z.boolean().meta({
      description: 'True if the user disconnected the store: nothing is stored until the phone gets a new user token',
    }),
    record_types: z.array(z.string()).meta({ description: 'Words that `type` of a record may have' }),
    stored: z.array(storedTypeSchema).meta({ description: 'What is stored of the phone, by type' }),
    batches: z.array(phoneBatchSchema).meta({ description: 'The last five batches of this phone, newest first' }),
  })
  .meta({ id: 'PhoneStore' });

export const phoneStateSchema = z
  .object({
    user_id: uuidSchema,
    device_id: z.string().nullable().meta({ description: 'Name that the phone gave itself in `X-Device-ID`' }),
    accepts: acceptsSchema,
    limits: limitsSchema.meta({ description: 'What one push may hold at most' }),
    providers: z.array(phoneStoreSchema),
  })
  .meta({ id: 'PhoneState', description: 'What the service has of one phone. It contains no health value' });
export type PhoneState = z.infer<typeof phoneStateSchema>;
