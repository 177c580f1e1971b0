import { CONSENT_ENDS } from '@healthd/contract';
import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { uuidParam } from '../parameters.js';
import { defineRoute } from '../route.js';

const erasedCountsSchema = z.object({
  samples: z.int().meta({ description: 'Samples, including archived ones' }),
  days: z.int().meta({ description: 'Local days with samples' }),
  workouts: z.int(),
  sleep_sessions: z.int().meta({ description: 'Nights and naps' }),
  menstrual_cycles: z.int(),
  health_scores: z.int(),
  data_sources: z.int().meta({ description: 'Devices and applications' }),
  runs: z.int().meta({ description: 'Imports, pushes, syncs and backfills with their reports' }),
  files: z.int().meta({ description: 'Uploaded files' }),
  batches: z.int().meta({ description: 'Stored device batches' }),
});
/** Number of erased rows by type. */
export type ErasedCounts = z.infer<typeof erasedCountsSchema>;

export const erasureSchema = z
  .object({
    id: uuidSchema,
    erased_at: instantSchema.meta({ description: 'Time of the erasure' }),
    erased: erasedCountsSchema.meta({ description: 'Number of erased rows by type' }),
    connections: z
      .array(
        z.object({
          provider: z.string(),
          consent: z.enum(CONSENT_ENDS).meta({
            description:
              'Grant at the vendor. `returned`: revoked. `kept`: not revoked, because it may belong to another user here. `failed`: the vendor did not confirm the revocation in time. `not_possible`: the vendor cannot revoke grants, or its credentials are not configured. `ended_before`: the connection had already ended, so there was no token to revoke; the vendor’s grant may still exist. `none`: there was no grant, for example for a device',
          }),
        }),
      )
      .meta({ description: 'Erased connections' }),
    ledger_hash: z.string().meta({
      description:
        '`hash` of this entry in the erasure ledger. A restored backup uses the ledger to erase the user again. The keyed hash reveals nothing without the ledger',
    }),
  })
  .meta({ id: 'Erasure' });
export type Erasure = z.infer<typeof erasureSchema>;

export const getErasure = defineRoute({
  id: 'getErasure',
  method: 'GET',
  path: '/api/v1/erasures/{erasure_id}',
  tag: 'Users',
  summary: 'Get an erasure receipt',
  description:
    'Pass the `erasure_id` from the user’s deletion. The receipt does not identify the user. The deletion’s audit record contains the same ID as `resource_id`. A failed deletion erased nothing and has no receipt.',
  auth: 'developer',
  audit: { resource: 'erasure', action: 'read' },
  status: 200,
  errors: [404],
  params: z.object({ erasure_id: uuidParam.meta({ description: 'Erasure ID from the deletion’s response' }) }),
  response: erasureSchema,
});
