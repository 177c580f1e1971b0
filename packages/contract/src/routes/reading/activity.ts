import { defineRoute } from '../../route.js';

export const getActivitySummary = defineRoute({
  id: 'getActivitySummary',
  method: 'GET',
  path: '/api/v1/users/{user_id}/summaries/activity',
  tag: 'Summaries',
  summary: 'Daily activity',
  description:
    'One row per day with data. Sources are chosen per family of metrics (movement, energy, heart rate) and never summed. ' +
    'Days run from the date of `start_date` until before the date of `end_date`; an end that is not at midnight includes its day.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'activity_summary', action: 'read' },
  status: 200,
  errors: [404],
});
