import { z } from 'zod';
import { instantSchema, uuidSchema } from '../../envelope.js';
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

export const prioritiesRouteSchemas = {
  listProviderPriorities: {
    response: z.object({ items: z.array(providerPrioritySchema) }),
  },
  setProviderPriorities: {
    body: z.object({ priorities: z.array(z.object({ provider, priority: prioritySchema })).max(100) }),
    response: z.object({ items: z.array(providerPrioritySchema) }),
  },
  setProviderPriority: {
    params: z.object({ provider }),
    body: one,
    response: providerPrioritySchema,
  },
  listDeviceTypePriorities: {
    response: z.object({ items: z.array(deviceTypePrioritySchema) }),
  },
  setDeviceTypePriorities: {
    body: z.object({ priorities: z.array(z.object({ device_type: deviceType, priority: prioritySchema })).max(100) }),
    response: z.object({ items: z.array(deviceTypePrioritySchema) }),
  },
  setDeviceTypePriority: {
    params: z.object({ device_type: deviceType }),
    body: one,
    response: deviceTypePrioritySchema,
  },
};
