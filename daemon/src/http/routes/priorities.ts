import {
  listDeviceTypePriorities,
  listProviderPriorities,
  setDeviceTypePriorities,
  setDeviceTypePriority,
  setProviderPriorities,
  setProviderPriority,
} from '@healthd/contract';
import type pg from 'pg';
import { createPriorityList } from '../../priorities/index.js';
import { type Binding, bind } from '../binding.js';

/** Which provider and which device type wins where several sources know the same. */
export function priorityRoutes({ pool }: { pool: pg.Pool }): Binding[] {
  const providers = createPriorityList(pool, 'provider');
  const deviceTypes = createPriorityList(pool, 'device_type');
  return [
    bind(listProviderPriorities, async () => ({ items: await providers.list() })),
    bind(setProviderPriorities, async ({ body }) => {
      await providers.set(body.priorities.map(({ provider, priority }) => ({ name: provider, priority })));
      return { items: await providers.list() };
    }),
    bind(setProviderPriority, ({ params, body }) =>
      providers.setOne({ name: params.provider, priority: body.priority }),
    ),
    bind(listDeviceTypePriorities, async () => ({ items: await deviceTypes.list() })),
    bind(setDeviceTypePriorities, async ({ body }) => {
      await deviceTypes.set(body.priorities.map(({ device_type: name, priority }) => ({ name, priority })));
      return { items: await deviceTypes.list() };
    }),
    bind(setDeviceTypePriority, ({ params, body }) =>
      deviceTypes.setOne({ name: params.device_type, priority: body.priority }),
    ),
  ];
}
