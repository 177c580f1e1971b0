import { defineRoute } from '../route.js';

export const diagnoseUser = defineRoute({
  id: 'diagnoseUser',
  method: 'GET',
  path: '/api/v1/users/{user_id}/diagnosis',
  tag: 'Connections',
  summary: 'Why data of a user do or do not arrive',
  description:
    'One verdict per provider that has a connection, data or an open run of the user, the worst first; for a user who has ' +
    'none of these, one per provider that could be connected. Each names the cause, since when, the last data, the next ' +
    'try and what mends it, as fields and as a sentence.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'connection', action: 'read' },
  status: 200,
  errors: [404],
});
