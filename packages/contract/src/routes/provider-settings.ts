import { defineRoute } from '../route.js';

/** How fine the data are that a provider is requested. */
export const DATA_GRANULARITIES = ['daily', 'hourly', 'raw'] as const;

export const listProviders = defineRoute({
  id: 'listProviders',
  method: 'GET',
  path: '/api/v1/oauth/providers',
  tag: 'Providers',
  summary: 'Providers and how they are used',
  description: 'Providers that push or take files, and clouds whose OAuth client is set.',
  auth: 'public',
  audit: { exempt: 'settings of the service, no data of a person' },
  status: 200,
});

export const getProvider = defineRoute({
  id: 'getProvider',
  method: 'GET',
  path: '/api/v1/oauth/providers/{provider}',
  tag: 'Providers',
  summary: 'One provider, how it is used and what is left of its quota',
  description:
    'The quota is that of this deployment\u2019s application at the vendor, which all users share. Several processes on one database count together.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { exempt: 'settings of the service, no data of a person' },
  status: 200,
  errors: [400],
});

export const updateProvider = defineRoute({
  id: 'updateProvider',
  method: 'PUT',
  path: '/api/v1/oauth/providers/{provider}',
  tag: 'Providers',
  summary: 'Change how a provider is used',
  description:
    'What is left out stays. Switching to `webhook` registers this service at the vendor; `subscriber_state` says how that goes, and polling goes on until it is active.',
  auth: 'developer',
  audit: { resource: 'provider_setting', action: 'update' },
  status: 200,
  errors: [400],
});

export const updateProviders = defineRoute({
  id: 'updateProviders',
  method: 'PUT',
  path: '/api/v1/oauth/providers',
  tag: 'Providers',
  summary: 'Enable and disable several providers',
  auth: 'developer',
  audit: { resource: 'provider_setting', action: 'update' },
  status: 200,
  errors: [400],
});
