import {
  listDeviceTypePriorities,
  listProviderPriorities,
  previewPriorities,
  previewUserPriorities,
  setDeviceTypePriorities,
  setDeviceTypePriority,
  setProviderPriorities,
  setProviderPriority,
} from '@healthd/contract';
import { ABSENT_PRIORITY } from '@healthd/model';
import type { ActivityMerge } from '@healthd/schemas';
import type pg from 'pg';
import type { PriorityStore } from '../../priorities/index.js';
import {
  type AllUserCounts,
  type ChangedRank,
  previewPriorities as preview,
  previewUserPriorities as previewUser,
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
      const [knownProviders, knownTypes] = await Promise.all([providers.list(), deviceTypes.list()]);
      return preview(counts, {
        providers: ranksOf(
          knownProviders.map(({ provider, priority }) => [provider, priority]),
          (body.providers ?? []).map(({ provider, priority }) => [provider, priority]),
        ),
        deviceTypes: ranksOf(
          knownTypes.map(({ device_type, priority }) => [device_type, priority]),
          (body.device_types ?? []).map(({ device_type, priority }) => [device_type, priority]),
        ),
      });
    }),
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

/** All names with their priorities before and after a change; of a name that comes twice the last holds. */
function ranksOf(
  known: readonly (readonly [string, number])[],
  changed: readonly (readonly [string, number])[],
): ChangedRank[] {
  const before = new Map(known);
  const after = new Map([...known, ...changed]);
  return [...after].map(([name, priority]) => ({ name, before: before.get(name) ?? ABSENT_PRIORITY, after: priority }));
}
