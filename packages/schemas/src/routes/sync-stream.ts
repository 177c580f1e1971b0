import { z } from 'zod';
import { intParam, userParams } from '../parameters.js';
import { defineRoute } from '../route.js';
import { eventFilterParams } from './sync.js';

const replay = intParam({ min: 0, max: 200, default: 20 });
const headers = z.object({
  'Last-Event-ID': z.string().optional().meta({
    description: 'Number of the last event received: the stream goes on behind it; `replay` is not looked at',
  }),
});

export const streamSyncEvents = defineRoute({
  id: 'streamSyncEvents',
  method: 'GET',
  path: '/api/v1/users/{user_id}/sync/stream',
  tag: 'Sync status',
  summary: 'Steps of all runs of a user as they happen',
  description:
    'Server-sent events: `event: sync.status`, `data` a SyncStatusEvent, `id` its number. Begins with the last `replay` events that pass the filters, looked for among the newest 10,000 of the user, or after the event that the header `Last-Event-ID` names, and leaves none out. A comment every 15 s keeps the connection open. The stream ends soon after its credentials do. 429: 200 streams of the same credentials are open.',
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
  summary: 'Steps of the runs of all users as they happen',
  description:
    'Server-sent events as of one user. Begins with the last `replay` events that pass the filters, looked for among the newest 10,000, or behind the number that the header `Last-Event-ID` names; then an `id` without data says that the past has been sent. Events of different users are stored at the same time, so some events before a lost connection may come once more after it, with the same `event_id`; none is left out. A comment every 15 s keeps the connection open. The stream ends soon after its credentials do. 429: 200 streams of the same credentials are open.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'sync_run', action: 'read' },
  status: 200,
  produces: 'text/event-stream',
  errors: [429],
  query: z.object({ ...eventFilterParams, replay }),
  headers,
});
