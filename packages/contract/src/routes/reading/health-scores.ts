import { defineRoute } from '../../route.js';

export const listHealthScores = defineRoute({
  id: 'listHealthScores',
  method: 'GET',
  path: '/api/v1/users/{user_id}/health-scores',
  tag: 'Health scores',
  summary: 'Scores that providers computed, newest first',
  description: 'Scores recorded in `[start_date, end_date)`. Pages by `offset` and `limit`; there are no cursors.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'health_score', action: 'read' },
  status: 200,
  errors: [404],
});
