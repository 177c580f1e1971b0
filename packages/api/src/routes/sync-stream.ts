import { z } from 'zod';
import { intParam, userParams } from '../parameters.js';
import { defineRoute } from '../route.js';

export const streamSyncEvents = defineRoute({
  id: 'streamSyncEvents',
  method: 'GET',
  path: '/api/v1/users/{user_id}/sync/stream',
  tag: 'Sync status',
  summary: 'Steps of all runs of a user as they happen',
  description:
    'Server-sent events: `event: sync.status`, `data` a SyncStatusEvent, `id` its number. Begins with the last `replay` events, or after the event that the header `Last-Event-ID` names, and leaves none out. A comment every 15 s keeps the connection open.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'sync_run', action: 'read' },
  params: userParams,
  query: z.object({ replay: intParam({ min: 0, max: 200, default: 20 }) }),
  headers: z.object({
    'Last-Event-ID': z.string().optional().meta({
      description: 'Number of the last event received: the stream goes on behind it; `replay` is not looked at',
    }),
  }),
  status: 200,
  produces: 'text/event-stream',
  errors: [404],
});
