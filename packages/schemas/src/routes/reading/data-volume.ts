import { z } from 'zod';
import { uuidParam } from '../../parameters.js';
import { defineRoute } from '../../route.js';
import { providerSchema } from '../../words.js';

export const dataVolumeSchema = z
  .object({
    active_connections: z.int().meta({ description: 'Active connections' }),
    users: z.int().meta({ description: 'Users with samples' }),
    days: z.int().meta({ description: 'Local days with samples, summed over users' }),
    samples: z.int().meta({ description: 'Samples, including archived ones' }),
  })
  .meta({ id: 'DataVolume' });
export type DataVolume = z.infer<typeof dataVolumeSchema>;

export const getDataVolume = defineRoute({
  id: 'getDataVolume',
  method: 'GET',
  path: '/api/v1/data/volume',
  tag: 'Operations',
  summary: 'Count the stored data of a user or provider',
  description:
    'Shows the effect of a deletion or of a change to a provider. Unknown users have zero rows. Returns 503 if counting over all users takes longer than 30 s.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'data_summary', action: 'read' },
  status: 200,
  query: z.object({
    user_id: uuidParam.optional().describe('Only count this user’s data'),
    provider: providerSchema.optional().describe('Only count data from this provider'),
  }),
  response: dataVolumeSchema,
});
