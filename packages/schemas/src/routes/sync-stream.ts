import { z } from 'zod';
import { intParam, userParams } from '../parameters.js';
import { eventFilterParams } from './sync.js';

const replay = intParam({ min: 0, max: 200, default: 20 });
const headers = z.object({
  'Last-Event-ID': z.string().optional().meta({
    description: 'Number of the last event received: the stream goes on behind it; `replay` is not looked at',
  }),
});

export const syncStreamRouteSchemas = {
  streamSyncEvents: {
    params: userParams,
    query: z.object({ ...eventFilterParams, replay }),
    headers,
  },
  streamAllSyncEvents: {
    query: z.object({ ...eventFilterParams, replay }),
    headers,
  },
};
