import { defineRoute } from '../../route.js';

export const getDataSummary = defineRoute({
  id: 'getDataSummary',
  method: 'GET',
  path: '/api/v1/users/{user_id}/summaries/data',
  tag: 'Summaries',
  summary: 'What has been stored for a user',
  description:
    'Counts by series, workout type and provider. With bounds, whole local days are counted: samples on the day of ' +
    'their start, workouts and nights on that of their end.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'data_summary', action: 'read' },
  status: 200,
  errors: [404],
});
