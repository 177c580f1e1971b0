import { defineRoute } from '../../route.js';

export const getDataGaps = defineRoute({
  id: 'getDataGaps',
  method: 'GET',
  path: '/api/v1/users/{user_id}/summaries/data/gaps',
  tag: 'Summaries',
  summary: 'Days on which data that usually comes did not come',
  description:
    'By provider and data type, on local days between the first and the last day that has such data, within the bounds ' +
    'where they are given. Where the connection is active and a type comes daily, days after the last one are missing too, ' +
    'from two days ago backwards, because data arrive late. Nights count on the day of waking, workouts on the day they end.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'data_summary', action: 'read' },
  status: 200,
  errors: [404],
});
