import type { PullAdapter, PullMode, VendorAccount, VendorApi } from '@healthd/providers';
import type { Connection, ProviderSetting, RequestPriority } from '../../connections/index.js';
import type { PullKind } from './open-runs.js';

/** Everything that stays the same while one run is worked on. */
export interface PullContext {
  connection: Connection;
  adapter: PullAdapter;
  api: VendorApi;
  mode: PullMode;
  use: ProviderSetting;
  account: VendorAccount;
  /** Connections of other users with the same vendor account. */
  linked: Connection[];
  /** Kinds of data that the vendor did not give in this turn. */
  deferred: Map<string, DeferredType>;
  /** How often in a row the answer for a kind of data was outdated when it came. */
  outdated: Map<string, number>;
  /** The longest range of a type, where the vendor refused longer ones. */
  longestMs: Map<string, number>;
  /** When a step was last reported, by a clock that only goes forward. */
  reportedAtMs: number;
}

/** Why a kind of data is read later, and when. */
export interface DeferredType {
  waitMs: number;
  /** How often the run is postponed for it at most. */
  limit: number;
  /** Codes only. */
  code: string;
}

/** Whether the vendor itself reports changes, so that polling has nothing to find. */
export function isNotified({ liveSyncMode, subscriberState, firstNotifiedAt }: ProviderSetting): boolean {
  if (liveSyncMode !== 'webhook') return false;
  return subscriberState === 'active' || (subscriberState === 'unmanaged' && firstNotifiedAt !== undefined);
}

/** In this order: what a caller waits for, users without data yet, what the vendor reported, the schedule, the past. */
export function priorityOf(kind: PullKind, { lastSyncedAt }: Connection): RequestPriority {
  return kind === 'live' && lastSyncedAt === undefined ? 'first_sync' : kind;
}
