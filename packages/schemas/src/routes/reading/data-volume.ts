import { z } from 'zod';
import { uuidParam } from '../../parameters.js';
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

export const dataVolumeRouteSchemas = {
  getDataVolume: {
    query: z.object({
      user_id: uuidParam.optional().describe('Only what is stored of this user'),
      provider: providerSchema.optional().describe('Only what came from this provider'),
    }),
    response: dataVolumeSchema,
  },
};
