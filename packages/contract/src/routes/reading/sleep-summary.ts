import { defineRoute } from '../../route.js';

export const getSleepSummary = defineRoute({
  id: 'getSleepSummary',
  method: 'GET',
  path: '/api/v1/users/{user_id}/summaries/sleep',
  tag: 'Summaries',
  summary: 'Daily sleep',
  description:
    'One row per local day of waking. Each group of figures comes from one source. Days run from the date of `start_date` until ' +
    'before the date of `end_date`; an end that is not at midnight includes its day.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'sleep_summary', action: 'read' },
  status: 200,
  errors: [404],
});
