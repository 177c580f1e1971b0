import { defineRoute } from '../route.js';

/** How syncing goes on: the service asks the vendor, or the vendor reports changes. */
export const LIVE_SYNC_MODES = ['pull', 'webhook'] as const;
export type LiveSyncMode = (typeof LIVE_SYNC_MODES)[number];

/** How a connection stands; `ended`: taken back, run out or disconnected. */
export const CONNECTION_STATES = ['active', 'failing', 'ended'] as const;
export type ConnectionState = (typeof CONNECTION_STATES)[number];

export const listConnections = defineRoute({
  id: 'listConnections',
  method: 'GET',
  path: '/api/v1/users/{user_id}/connections',
  tag: 'Connections',
  summary: 'Connections of a user, newest first',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'connection', action: 'read' },
  status: 200,
});

export const listAllConnections = defineRoute({
  id: 'listAllConnections',
  method: 'GET',
  path: '/api/v1/connections',
  tag: 'Connections',
  summary: 'Connections of all users, newest first',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'connection', action: 'read' },
  status: 200,
});

export const disconnectProvider = defineRoute({
  id: 'disconnectProvider',
  method: 'DELETE',
  path: '/api/v1/users/{user_id}/connections/{provider}',
  tag: 'Connections',
  summary: 'End a connection; the data stay',
  description:
    'Ends the consent at the vendor where it offers that, and clears the tokens. A phone that pushes for this provider is refused from now on, until it is given new credentials.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'connection', action: 'delete' },
  status: 204,
});

export const deleteProviderData = defineRoute({
  id: 'deleteProviderData',
  method: 'DELETE',
  path: '/api/v1/users/{user_id}/connections/{provider}/data',
  tag: 'Connections',
  summary: 'End a connection and delete all data that came from its provider',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'provider_data', action: 'delete' },
  status: 204,
});
