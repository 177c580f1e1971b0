import { defineRoute } from '../../route.js';

export const listSleepSessions = defineRoute({
  id: 'listSleepSessions',
  method: 'GET',
  path: '/api/v1/users/{user_id}/events/sleep',
  tag: 'Events',
  summary: 'Nights and naps, newest first',
  description:
    'Sessions of all sources that start in `[start_date, end_date)`. With `filter_by_priority=true`, only those that the sleep ' +
    'summary counts.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'sleep_session', action: 'read' },
  status: 200,
  errors: [404],
});
