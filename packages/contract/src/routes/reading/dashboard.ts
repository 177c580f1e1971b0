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

export const getServiceActivity = defineRoute({
  id: 'getServiceActivity',
  method: 'GET',
  path: '/api/v1/dashboard/activity',
  tag: 'Operations',
  summary: 'What this service did by day, and what vendors reported to it',
  description:
    'Counts over all users. Samples count on the local day on which they were measured, so that days of the past still grow; runs count on the day in UTC on which they were created, as long as they are stored (SYNC_RUN_RETENTION_DAYS). Where counting takes long the figures are up to five minutes old.',
  auth: 'developer',
  audit: { exempt: 'counts over all users, no data of a person' },
  status: 200,
});
