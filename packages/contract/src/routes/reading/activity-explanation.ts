import { defineRoute } from '../../route.js';

export const explainActivitySummary = defineRoute({
  id: 'explainActivitySummary',
  method: 'GET',
  path: '/api/v1/users/{user_id}/summaries/activity/explain',
  tag: 'Summaries',
  summary: 'How the activity of one day came about',
  description:
    'For steps, distance, floors and energy of one local day: which sources had values, which one stood first and why, ' +
    'and which source gave which part of the sum that the summary shows. Metrics without a measurement are left out.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'activity_summary', action: 'read' },
  status: 200,
  errors: [404],
});
