import { defineRoute } from '../../route.js';

export const listDataSources = defineRoute({
  id: 'listDataSources',
  method: 'GET',
  path: '/api/v1/users/{user_id}/data-sources',
  tag: 'Data sources',
  summary: 'Devices and applications that supplied data of a user',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'data_source', action: 'read' },
  status: 200,
  errors: [404],
});
