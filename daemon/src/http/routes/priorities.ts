import {
  type ActivityMerge,
  bodyParams,
  type ChangedRanks,
  listDeviceTypePriorities,
  listProviderPriorities,
  previewPriorities,
  previewUpgrade,
  previewUserPriorities,
  setDeviceTypePriorities,
  setDeviceTypePriority,
  setProviderPriorities,
  setProviderPriority,
} from '@healthd/schemas';
import type pg from 'pg';
import type { VendorTerms } from '../../connections/index.js';
import type { PriorityStore } from '../../priorities/index.js';
import {
  type AllUserCounts,
  previewPriorities as preview,
  previewUserPriorities as previewUser,
  previewUpgrade as upgradePreview,
} from '../../query/index.js';
import { type Binding, bind } from '../binding.js';
import { bodyQuery } from './body-query.js';
import { termsOfReader } from './vendor-terms.js';

interface PriorityRouteOptions {
  pool: pg.Pool;
  priorities: PriorityStore;
  terms: Pick<VendorTerms, 'current'>;
  counts: AllUserCounts;
  /** Default merge rule for overlapping activity sources. */
  activityMerge: ActivityMerge;
}

/** Routes for the precedence of providers and device types when several sources have the same data. */
export function priorityRoutes({ pool, priorities, terms, counts, activityMerge }: PriorityRouteOptions): Binding[] {
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
      const before = await priorities.current();
      const after = before.changed(changedRanks(body));
      return preview(counts, { before, after, body: bodyQuery(bodyParams.parse({}), new Set()) });
    }),
    bind(previewUpgrade, async () =>
      upgradePreview(counts, await priorities.current(), bodyQuery(bodyParams.parse({}), new Set())),
    ),
    bind(previewUserPriorities, async ({ user, isAssistant, query, body }) => {
      const { withheldFromSummaries } = await termsOfReader(terms, isAssistant);
      return previewUser({ pool, priorities }, user.userKey, {
        start: query.start_date,
        end: query.end_date,
        merge: activityMerge,
        change: changedRanks(body),
        body: bodyQuery(bodyParams.parse({}), withheldFromSummaries),
      });
    }),
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

/** Converts requested priorities to the input of {@link Priorities.changed}. */
function changedRanks({ providers = [], device_types: deviceTypes = [] }: ChangedRanks) {
  return {
    providers: providers.map(({ provider, priority }) => [provider, priority] as const),
    deviceTypes: deviceTypes.map(({ device_type, priority }) => [device_type, priority] as const),
  };
}
