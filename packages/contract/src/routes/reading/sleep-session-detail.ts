import { defineRoute } from '../../route.js';

export const getSleepSession = defineRoute({
  id: 'getSleepSession',
  method: 'GET',
  path: '/api/v1/users/{user_id}/events/sleep/{sleep_id}',
  tag: 'Events',
  summary: 'One night or nap with its samples',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'sleep_session', action: 'read' },
  status: 200,
  errors: [404],
});
