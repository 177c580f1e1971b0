import { defineRoute } from '../../route.js';

export const getBodySummary = defineRoute({
  id: 'getBodySummary',
  method: 'GET',
  path: '/api/v1/users/{user_id}/summaries/body',
  tag: 'Summaries',
  summary: 'The body as it is now',
  description:
    'Slowly changing values are the newest ones of any age. Averages are means over the period of the values that ' +
    'the recovery summary shows. The latest values are those of the last hours; systolic and diastolic pressure ' +
    'make a reading when one source measured both within five seconds. JSON `null` when nothing is known.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'body_summary', action: 'read' },
  status: 200,
  errors: [404],
});
