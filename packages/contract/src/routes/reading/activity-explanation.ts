import { defineRoute } from '../../route.js';

export const explainActivitySummary = defineRoute({
  id: 'explainActivitySummary',
  method: 'GET',
  path: '/api/v1/users/{user_id}/summaries/activity/explain',
  tag: 'Summaries',
  summary: 'Explain the activity of one day',
  description:
    'Lists the sources of each group of figures, their values and ranks, the winner, and the rule that put each other source ' +
    'behind it. For steps, distance, floors and energy it also says which source gave which part of the sum. Metrics ' +
    'without a measurement are left out.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'activity_summary', action: 'read' },
  status: 200,
  errors: [404],
});
