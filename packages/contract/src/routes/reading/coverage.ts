import { defineRoute } from '../../route.js';

export const getCoverage = defineRoute({
  id: 'getCoverage',
  method: 'GET',
  path: '/api/v1/meta/coverage',
  tag: 'Meta',
  summary: 'Which provider supplies what',
  auth: 'public',
  audit: { exempt: 'says what the service can do; holds no personal data' },
  status: 200,
});
