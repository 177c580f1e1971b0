import { defineRoute } from '../../route.js';

const description =
  'Lower numbers win where several sources know the same. Changes hold for the next request, also for days long past; ' +
  'what is not named keeps its number.';
const common = { tag: 'Priorities', description, auth: 'developer', status: 200 } as const;
const listAudit = { exempt: 'settings of the service, no data of a person' } as const;

export const listProviderPriorities = defineRoute({
  ...common,
  id: 'listProviderPriorities',
  method: 'GET',
  path: '/api/v1/priorities/providers',
  summary: 'Priorities of providers, best first',
  audit: listAudit,
});

export const setProviderPriorities = defineRoute({
  ...common,
  id: 'setProviderPriorities',
  method: 'PUT',
  path: '/api/v1/priorities/providers',
  summary: 'Set priorities of several providers',
  audit: { resource: 'provider_priority', action: 'update' },
});

export const setProviderPriority = defineRoute({
  ...common,
  id: 'setProviderPriority',
  method: 'PUT',
  path: '/api/v1/priorities/providers/{provider}',
  summary: 'Set the priority of one provider',
  audit: { resource: 'provider_priority', action: 'update' },
});

export const listDeviceTypePriorities = defineRoute({
  ...common,
  id: 'listDeviceTypePriorities',
  method: 'GET',
  path: '/api/v1/priorities/device-types',
  summary: 'Priorities of device types, best first',
  audit: listAudit,
});

export const setDeviceTypePriorities = defineRoute({
  ...common,
  id: 'setDeviceTypePriorities',
  method: 'PUT',
  path: '/api/v1/priorities/device-types',
  summary: 'Set priorities of several device types',
  audit: { resource: 'device_type_priority', action: 'update' },
});

export const setDeviceTypePriority = defineRoute({
  ...common,
  id: 'setDeviceTypePriority',
  method: 'PUT',
  path: '/api/v1/priorities/device-types/{device_type}',
  summary: 'Set the priority of one device type',
  audit: { resource: 'device_type_priority', action: 'update' },
});
