import { defineRoute } from '../route.js';

export const getConfig = defineRoute({
  id: 'getConfig',
  method: 'GET',
  path: '/api/v1/config',
  tag: 'Operations',
  summary: 'What this service is set up to do',
  auth: 'developer',
  audit: { exempt: 'settings of the service, no data of a person' },
  status: 200,
});
