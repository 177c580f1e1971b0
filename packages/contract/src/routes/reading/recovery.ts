import { defineRoute } from '../../route.js';

export const getRecoverySummary = defineRoute({
  id: 'getRecoverySummary',
  method: 'GET',
  path: '/api/v1/users/{user_id}/summaries/recovery',
  tag: 'Summaries',
  summary: 'Daily recovery',
  description:
    'One row per local day of waking, computed from the stored series of the providers that have them: resting heart rate, ' +
    'variability and oxygen saturation of the night that ended that day. All values of a row come from one provider: the ' +
    'most complete one, then the best by priority. Days run from the date of `start_date` until before the date of ' +
    '`end_date`; an end that is not at midnight includes its day.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'recovery_summary', action: 'read' },
  status: 200,
  errors: [404],
});
