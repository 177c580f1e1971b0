import { defineRoute } from '../route.js';

const tag = 'Sync';
const path = '/api/v1/providers/{provider}/users/{user_id}/backfill';
const errors = [404, 501] as const;

export const getBackfillStatus = defineRoute({
  id: 'getBackfillStatus',
  method: 'GET',
  path: `${path}/status`,
  tag,
  summary: 'How far the past that a vendor exports is',
  description:
    'For vendors that export history on request and deliver it later; 501 for others. Each kind of data is requested once and arrives in minutes to hours; it counts as there when nothing came for six hours after the last of it. Before anything was requested the status is `pending`.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'sync_run', action: 'read' },
  status: 200,
  errors,
});

export const cancelBackfill = defineRoute({
  id: 'cancelBackfill',
  method: 'POST',
  path: `${path}/cancel`,
  tag,
  summary: 'Stop requesting the past of a user',
  description: 'The vendor still delivers what was requested before, and it is stored.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'health_data', action: 'import' },
  status: 200,
  errors: [404, 409, 501],
});

export const retryBackfill = defineRoute({
  id: 'retryBackfill',
  method: 'POST',
  path: `${path}/{type_name}/retry`,
  tag,
  summary: 'Request the past of one kind of data again',
  description:
    'In the run that is open, or in one of its own. The vendor does not deliver a window again that it has accepted before.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'health_data', action: 'import' },
  status: 200,
  errors: [400, 404, 409, 501],
});
