import { defineRoute } from '../../route.js';

export const getDashboardStats = defineRoute({
  id: 'getDashboardStats',
  method: 'GET',
  path: '/api/v1/dashboard/stats',
  tag: 'Operations',
  summary: 'How much this service holds',
  auth: 'developer',
  audit: { exempt: 'counts over all users, no data of a person' },
  status: 200,
});
