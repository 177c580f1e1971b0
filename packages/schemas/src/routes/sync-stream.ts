import { z } from 'zod';
import { intParam, userParams } from '../parameters.js';
import { defineRoute } from '../route.js';
import { eventFilterParams } from './sync.js';

const replay = intParam({ min: 0, max: 200, default: 20 });
const headers = z.object({
  'Last-Event-ID': z.string().optional().meta({
    description: 'Number of the last received event. The stream continues after it and ignores `replay`',
  }),
});

export const streamSyncEvents = defineRoute({
  id: 'streamSyncEvents',
  method: 'GET',
  path: '/api/v1/users/{user_id}/sync/stream',
  tag: 'Sync status',
  summary: 'Stream a user’s run events',
  description:
    'Server-sent events: `event: sync.status`, `data` is a SyncStatusEvent, `id` its number. Starts with the last `replay` events that match the filters, from the user’s newest 10,000 events, or after the event in the header `Last-Event-ID`; skips none. Sends a comment every 15 s to keep the connection open. The stream ends soon after its credentials expire. Returns 429 if the credentials already have 200 open streams.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'sync_run', action: 'read' },
  status: 200,
  produces: 'text/event-stream',
  errors: [404, 429],
  params: userParams,
  query: z.object({ ...eventFilterParams, replay }),
  headers,
});

export const streamAllSyncEvents = defineRoute({
  id: 'streamAllSyncEvents',
  method: 'GET',
  path: '/api/v1/sync/stream',
  tag: 'Sync status',
  summary: 'Stream all users’ run events',
  description:
    'Server-sent events, as in the stream of one user. Starts with the last `replay` events that match the filters, from the newest 10,000 events, or after the number in the header `Last-Event-ID`; an `id` without data then marks the end of past events. After a reconnect a few events may repeat with the same `event_id`; none is skipped. Sends a comment every 15 s to keep the connection open. The stream ends soon after its credentials expire. Returns 429 if the credentials already have 200 open streams.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'sync_run', action: 'read' },
  status: 200,
  produces: 'text/event-stream',
  errors: [429],
  query: z.object({ ...eventFilterParams, replay }),
  headers,
});
