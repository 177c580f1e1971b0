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
  status: 200,
  produces: 'text/event-stream',
  errors: [404],
});
