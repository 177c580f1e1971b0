import { defineRoute } from '../../route.js';

export const getDataVolume = defineRoute({
  id: 'getDataVolume',
  method: 'GET',
  path: '/api/v1/data/volume',
  tag: 'Operations',
  summary: 'How many users, days and samples are stored of a provider, a user or all',
  description:
    'What a deletion would take away, and whom a change of a provider concerns. An unknown `user_id` has nothing. Over all users the service counts for 30 s at most, then it answers 503; one user is always counted.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'data_summary', action: 'read' },
  status: 200,
});
