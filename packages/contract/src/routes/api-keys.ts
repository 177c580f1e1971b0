import { defineRoute } from '../route.js';

export const listApiKeys = defineRoute({
  id: 'listApiKeys',
  method: 'GET',
  path: '/api/v1/developer/api-keys',
  tag: 'API keys',
  summary: 'List API keys, newest first',
  auth: 'developer',
  audit: { exempt: 'lists masked keys, no data of a person' },
  status: 200,
});

export const createApiKey = defineRoute({
  id: 'createApiKey',
  method: 'POST',
  path: '/api/v1/developer/api-keys',
  tag: 'API keys',
  summary: 'Create an API key',
  auth: 'developer',
  audit: { resource: 'api_key', action: 'create' },
  status: 201,
});

export const renameApiKey = defineRoute({
  id: 'renameApiKey',
  method: 'PATCH',
  path: '/api/v1/developer/api-keys/{key_id}',
  tag: 'API keys',
  summary: 'Rename an API key',
  auth: 'developer',
  audit: { resource: 'api_key', action: 'update' },
  status: 200,
  errors: [404],
});

export const deleteApiKey = defineRoute({
  id: 'deleteApiKey',
  method: 'DELETE',
  path: '/api/v1/developer/api-keys/{key_id}',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description: 'The key stops working within a second in every process of the service.',
  auth: 'developer',
  audit: { resource: 'api_key', action: 'delete' },
  status: 200,
  errors: [404],
});

export const rotateApiKey = defineRoute({
  id: 'rotateApiKey',
  method: 'POST',
  path: '/api/v1/developer/api-keys/{key_id}/rotate',
  tag: 'API keys',
  summary: 'Replace an API key',
  description:
    'The new key has an id of its own and keeps name, scopes and expiry. The old one ends immediately, or after the grace period. 409: the key has expired.',
  auth: 'developer',
  audit: { resource: 'api_key', action: 'update' },
  status: 201,
  errors: [404, 409],
});
