import { z } from 'zod';
import { instantSchema, uuidSchema } from '../../envelope.js';
import { defineRoute } from '../../route.js';
import { deviceTypeSchema, providerSchema } from '../../words.js';

/** Lower wins; numbers need not be different. */
const prioritySchema = z.int().min(1).max(100);
const row = { priority: z.int(), id: uuidSchema, created_at: instantSchema, updated_at: instantSchema };

export const providerPrioritySchema = z.object({ provider: z.string(), ...row }).meta({ id: 'ProviderPriority' });
export type ProviderPriority = z.infer<typeof providerPrioritySchema>;

export const deviceTypePrioritySchema = z
  .object({ device_type: z.string(), ...row })
  .meta({ id: 'DeviceTypePriority' });
export type DeviceTypePriority = z.infer<typeof deviceTypePrioritySchema>;

const provider = providerSchema;
const deviceType = deviceTypeSchema;
const one = z.object({ priority: prioritySchema });
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
  response: z.object({ items: z.array(providerPrioritySchema) }),
});

export const setProviderPriorities = defineRoute({
  ...common,
  id: 'setProviderPriorities',
  method: 'PUT',
  path: '/api/v1/priorities/providers',
  summary: 'Set priorities of several providers',
  audit: { resource: 'provider_priority', action: 'update' },
  body: z.object({ priorities: z.array(z.object({ provider, priority: prioritySchema })).max(100) }),
  response: z.object({ items: z.array(providerPrioritySchema) }),
});

export const setProviderPriority = defineRoute({
  ...common,
  id: 'setProviderPriority',
  method: 'PUT',
  path: '/api/v1/priorities/providers/{provider}',
  summary: 'Set the priority of one provider',
  audit: { resource: 'provider_priority', action: 'update' },
  params: z.object({ provider }),
  body: one,
  response: providerPrioritySchema,
});

export const listDeviceTypePriorities = defineRoute({
  ...common,
  id: 'listDeviceTypePriorities',
  method: 'GET',
  path: '/api/v1/priorities/device-types',
  summary: 'Priorities of device types, best first',
  audit: listAudit,
  response: z.object({ items: z.array(deviceTypePrioritySchema) }),
});

export const setDeviceTypePriorities = defineRoute({
  ...common,
  id: 'setDeviceTypePriorities',
  method: 'PUT',
  path: '/api/v1/priorities/device-types',
  summary: 'Set priorities of several device types',
  audit: { resource: 'device_type_priority', action: 'update' },
  body: z.object({ priorities: z.array(z.object({ device_type: deviceType, priority: prioritySchema })).max(100) }),
  response: z.object({ items: z.array(deviceTypePrioritySchema) }),
});

export const setDeviceTypePriority = defineRoute({
  ...common,
  id: 'setDeviceTypePriority',
  method: 'PUT',
  path: '/api/v1/priorities/device-types/{device_type}',
  summary: 'Set the priority of one device type',
  audit: { resource: 'device_type_priority', action: 'update' },
  params: z.object({ device_type: deviceType }),
  body: one,
  response: deviceTypePrioritySchema,
});
