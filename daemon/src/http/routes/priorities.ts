import {
  listDeviceTypePriorities,
  listProviderPriorities,
  previewPriorities,
  previewUpgrade,
  previewUserPriorities,
  setDeviceTypePriorities,
  setDeviceTypePriority,
  setProviderPriorities,
  setProviderPriority,
} from '@healthd/contract';
import type { ActivityMerge } from '@healthd/schemas';
import type pg from 'pg';
import type { PriorityStore } from '../../priorities/index.js';
import {
  type AllUserCounts,
  previewPriorities as preview,
  previewUserPriorities as previewUser,
  previewUpgrade as upgradePreview,
} from '../../query/index.js';
import { type Binding, bind } from '../binding.js';

interface PriorityRouteOptions {
  pool: pg.Pool;
  priorities: PriorityStore;
  counts: AllUserCounts;
  /** How activity treats sources that overlap where a request does not say it. */
  activityMerge: ActivityMerge;
}

/** Which provider and which device type wins where several sources know the same. */
export function priorityRoutes({ pool, priorities, counts, activityMerge }: PriorityRouteOptions): Binding[] {
  const { providers, deviceTypes } = priorities;
  return [
    bind(listProviderPriorities, async () => ({ items: await providers.list() })),
    bind(setProviderPriorities, async ({ body }) => {
      await providers.set(body.priorities.map(({ provider, priority }) => ({ name: provider, priority })));
      return { items: await providers.list() };
    }),
    bind(setProviderPriority, ({ params, body }) =>
      providers.setOne({ name: params.provider, priority: body.priority }),
    ),
    bind(previewPriorities, async ({ body }) => {
      const change = {
        providers: (body.providers ?? []).map(({ provider, priority }) => [provider, priority] as const),
        deviceTypes: (body.device_types ?? []).map(({ device_type, priority }) => [device_type, priority] as const),
      };
      const before = await priorities.current();
      const after = before.changed(change);
      const changed = {
        providers: change.providers
          .map(([provider]) => provider)
          .filter((provider) => before.provider({ provider }) !== after.provider({ provider })),
        deviceTypes: change.deviceTypes
          .map(([deviceType]) => deviceType)
          .filter((deviceType) => before.deviceType({ deviceType }) !== after.deviceType({ deviceType })),
      };
      return preview(counts, { before, after, changed });
    }),
    bind(previewUpgrade, async () => upgradePreview(counts, await priorities.current())),
    bind(previewUserPriorities, ({ user, query, body }) =>
      previewUser({ pool, priorities }, user.userKey, {
        start: query.start_date,
        end: query.end_date,
        merge: activityMerge,
        change: {
          providers: (body.providers ?? []).map(({ provider, priority }) => [provider, priority]),
          deviceTypes: (body.device_types ?? []).map(({ device_type, priority }) => [device_type, priority]),
        },
      }),
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
