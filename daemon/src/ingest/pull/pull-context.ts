import type { PullAdapter, PullMode, VendorAccount, VendorApi } from '@healthd/providers';
import type { Connection, ProviderSetting, RequestPriority } from '../../connections/index.js';
import type { PullKind } from './open-runs.js';

/** State that does not change while a run is processed. */
export interface PullContext {
  connection: Connection;
  adapter: PullAdapter;
  api: VendorApi;
  mode: PullMode;
  use: ProviderSetting;
  account: VendorAccount;
  /** Connections of other users with the same vendor account. */
  linked: Connection[];
  /** Data types that the vendor did not return in this turn. */
  deferred: Map<string, DeferredType>;
  /** Number of consecutive outdated responses per data type. */
  outdated: Map<string, number>;
  /** Longest accepted range of a type, if the vendor rejected longer ranges. */
  longestMs: Map<string, number>;
  /** Monotonic time of the last reported step. */
  reportedAtMs: number;
}

/** Reason and delay of a data type that is read later. */
export interface DeferredType {
  waitMs: number;
  /** Maximum number of times that the run is postponed because of this data type. */
  limit: number;
  /** Error code. */
  code: string;
}

/** True if the vendor reports changes, so that the service does not need to poll for them. */
export function isNotified({ liveSyncMode, subscriberState, firstNotifiedAt }: ProviderSetting): boolean {
  if (liveSyncMode !== 'webhook') return false;
  return subscriberState === 'active' || (subscriberState === 'unmanaged' && firstNotifiedAt !== undefined);
}

/**
 * Returns the request priority. The order is: waiting callers, users without data, webhooks, the schedule, backfills.
 */
export function priorityOf(kind: PullKind, { lastSyncedAt }: Connection): RequestPriority {
  return kind === 'live' && lastSyncedAt === undefined ? 'first_sync' : kind;
}
