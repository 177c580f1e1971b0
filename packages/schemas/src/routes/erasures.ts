import { CONSENT_ENDS } from '@healthd/contract';
import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { uuidParam } from '../parameters.js';
import { defineRoute } from '../route.js';

const erasedCountsSchema = z.object({
  samples: z.int().meta({ description: 'Samples, those included that were archived' }),
  days: z.int().meta({ description: 'Local days that had samples' }),
  workouts: z.int(),
  sleep_sessions: z.int().meta({ description: 'Nights and naps' }),
  menstrual_cycles: z.int(),
  health_scores: z.int(),
  data_sources: z.int().meta({ description: 'Devices and applications that data came from' }),
  runs: z.int().meta({ description: 'Imports, pushes, pulls and backfills with their reports' }),
  files: z.int().meta({ description: 'Uploaded files' }),
  batches: z.int().meta({ description: 'Batches of devices that were still stored' }),
});
/** How much of each kind was erased. */
export type ErasedCounts = z.infer<typeof erasedCountsSchema>;

export const erasureSchema = z
  .object({
    id: uuidSchema,
    erased_at: instantSchema.meta({ description: 'When it was erased' }),
    erased: erasedCountsSchema.meta({ description: 'How much was erased of each kind' }),
    connections: z
      .array(
        z.object({
          provider: z.string(),
          consent: z.enum(CONSENT_ENDS).meta({
            description:
              'What became of the consent at the vendor; `returned`: ended; `kept`: left, because it may be that of another user here too; `failed`: the vendor did not confirm it in time; `not_possible`: the vendor offers no way to end it, or has no credentials here; `ended_before`: the connection had ended before, so that no tokens were held to ask with, and whether the vendor ended the consent is not known; `none`: none was held, such as that of a device',
          }),
        }),
      )
      .meta({ description: 'Connections that were erased' }),
    ledger_hash: z.string().meta({
      description:
        '`hash` of the line in the ledger of erasures, by which a restored backup is erased of this user again; a keyed hash that says nothing without the ledger',
    }),
  })
  .meta({ id: 'Erasure' });
export type Erasure = z.infer<typeof erasureSchema>;

export const getErasure = defineRoute({
  id: 'getErasure',
  method: 'GET',
  path: '/api/v1/erasures/{erasure_id}',
  tag: 'Users',
  summary: 'The receipt of an erasure: how much was erased',
  description:
    'For the `erasure_id` that the deletion of a user answered. Nothing in it says who the user was. The audit record of ' +
    'the deletion has the id as `resource_id`. A deletion that failed erased nothing and has no receipt.',
  auth: 'developer',
  audit: { resource: 'erasure', action: 'read' },
  status: 200,
  errors: [404],
  params: z.object({ erasure_id: uuidParam.meta({ description: 'What the deletion of the user answered' }) }),
  response: erasureSchema,
});
