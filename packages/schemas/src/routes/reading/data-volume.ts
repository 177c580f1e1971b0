import { z } from 'zod';
import { uuidParam } from '../../parameters.js';
import { defineRoute } from '../../route.js';
import { providerSchema } from '../../words.js';

export const dataVolumeSchema = z
  .object({
    active_connections: z.int().meta({ description: 'Connections that are active now' }),
    users: z.int().meta({ description: 'Users of whom samples are stored' }),
    days: z.int().meta({ description: 'Local days with samples, those of each user counted' }),
    samples: z.int().meta({ description: 'Samples, archived ones included' }),
  })
  .meta({ id: 'DataVolume' });
export type DataVolume = z.infer<typeof dataVolumeSchema>;

export const getDataVolume = defineRoute({
  id: 'getDataVolume',
  method: 'GET',
  path: '/api/v1/data/volume',
  tag: 'Operations',
  summary: 'How many users, days and samples are stored of a provider, a user or all',
  description:
    'What a deletion would take away, and whom a change of a provider concerns. An unknown `user_id` has nothing. Over all users the service counts for 30 s at most, then it answers 503; one user is always counted.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'data_summary', action: 'read' },
  status: 200,
  query: z.object({
    user_id: uuidParam.optional().describe('Only what is stored of this user'),
    provider: providerSchema.optional().describe('Only what came from this provider'),
  }),
  response: dataVolumeSchema,
});
