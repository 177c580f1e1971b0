import { setTimeout as sleep } from 'node:timers/promises';
import type { ProviderId } from '@healthd/model';
import type { PullAdapter } from '@healthd/providers';
import type { SyncRun } from '@healthd/schemas';
import { type Connection, pullBlockerText } from '../../connections/index.js';
import { Failure } from '../../platform/failures.js';
import { findRun } from '../../runs/index.js';
import { queueBackfill } from './connected.js';
import { type ConnectedServices, enqueuePull } from './enqueue-pull.js';
import { queuePull } from './open-runs.js';
import { BACKFILL_DAYS } from './pull-range.js';

/** Data that a caller requests now. */
export interface SyncRequest {
  part: 'workouts' | '247' | 'all';
  since: Date | undefined;
}

export interface RequestedSync {
  runId: string;
  /** False if an earlier requested run is still open. */
  isNew: boolean;
}

const POLL_MS = 200;

/**
 * Queues a pull that a caller requested. It also runs in webhook mode.
 * @throws Failure if the provider cannot be read at all or for this user
 */
export async function requestSync(
  services: ConnectedServices,
  userKey: number,
  provider: ProviderId,
  { part, since }: SyncRequest,
): Promise<RequestedSync> {
  const adapter = pullAdapterOf(services, provider);
  if (!adapter) throw new Failure('bad_request', `Provider '${provider}' does not support sync.`);
  const types = adapter.dataTypes.filter((type) => part === 'all' || type.part === part);
  if (types.length === 0) {
    const what = part === 'workouts' ? 'workouts' : '247 data';
    throw new Failure('not_implemented', `Provider '${provider}' does not support ${what}`);
  }
  const connection = await requirePullable(services, userKey, provider);
  const queued = await queuePull(services, connection, {
    kind: 'manual',
    dataTypes: part === 'all' ? undefined : types.map(({ id }) => id),
    fromAt: since,
    metadata: { data_type: part, ...(since && { since: since.toISOString() }) },
  });
  await enqueuePull(services, connection.id);
  return queued;
}

/** Effect of a requested backfill. */
export interface RequestedBackfill extends RequestedSync {
  days: number;
  from: Date;
  to: Date;
}

/** Queues a backfill. @throws Failure as {@link requestSync} */
export async function requestBackfill(
  services: ConnectedServices,
  userKey: number,
  provider: ProviderId,
  requestedDays = BACKFILL_DAYS,
): Promise<RequestedBackfill> {
  if (!pullAdapterOf(services, provider)) {
    throw new Failure('bad_request', `Provider '${provider}' does not support historical sync.`);
  }
  const connection = await requirePullable(services, userKey, provider);
  const queued = await queueBackfill(services, connection, requestedDays);
  await enqueuePull(services, connection.id);
  return queued;
}

/** Returns the run when it has ended, or its current state after the timeout. */
export async function waitForRun(
  { pool }: Pick<ConnectedServices, 'pool'>,
  runId: string,
  limitSeconds: number,
  signal: AbortSignal,
): Promise<SyncRun | undefined> {
  const until = performance.now() + limitSeconds * 1_000;
  for (;;) {
    const run = await findRun(pool, runId);
    if (!run || run.ended_at !== null || performance.now() > until) return run;
    await sleep(POLL_MS, undefined, { signal });
  }
}

function pullAdapterOf({ cloudOf }: ConnectedServices, provider: ProviderId): PullAdapter | undefined {
  return cloudOf(provider)?.pull;
}

/**
 * Returns the user's connection if its vendor can be read now.
 * @throws Failure `not_found`, `conflict`
 */
export async function requirePullable(
  { connections }: Pick<ConnectedServices, 'connections'>,
  userKey: number,
  provider: ProviderId,
): Promise<Connection> {
  const connection = await connections.requireConnection(userKey, provider);
  if (!connections.configurationOf(provider)) {
    throw new Failure('conflict', pullBlockerText('unconfigured', provider));
  }
  const { isEnabled } = await connections.settingOf(provider);
  if (!isEnabled) throw new Failure('conflict', pullBlockerText('disabled', provider));
  return connection;
}
