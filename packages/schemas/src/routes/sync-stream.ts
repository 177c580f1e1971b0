import { z } from 'zod';
import { intParam, userParams } from '../parameters.js';

export const syncStreamRouteSchemas = {
  streamSyncEvents: {
    params: userParams,
    query: z.object({ replay: intParam({ min: 0, max: 200, default: 20 }) }),
    headers: z.object({
      'Last-Event-ID': z.string().optional().meta({
        description: 'Number of the last event received: the stream goes on behind it; `replay` is not looked at',
      }),
    }),
  },
};
