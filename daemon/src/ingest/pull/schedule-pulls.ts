import { MS_PER_DAY, MS_PER_SECOND, type ProviderId } from '@healthd/model';
import { losesReports, type PullAdapter } from '@healthd/providers';
import type pg from 'pg';
import { z } from 'zod';
import { type Connection, markPolled, type ProviderSetting, readTypeStates } from '../../connections/index.js';
import { defineJob, type JobDefinition, RETRY_NEVER } from '../../platform/jobs/index.js';
import { queueBackfill } from './connected.js';
import type { ConnectedServices } from './enqueue-pull.js';
import { type PollIntervals, pollIntervals } from './next-poll.js';
import { queuePull } from './open-runs.js';
import { isNotified } from './pull-context.js';
import { BACKFILL_DAYS } from './pull-range.js';
import type { PullSettings } from './pull-services.js';
import { isWebhookStale } from './stale-webhooks.js';

const SCHEDULE_JOB = 'schedule-pulls';
const MAX_DURATION_SECONDS = 600;
const CONNECTIONS_PER_STEP = 500;
const LONGEST_ROUND_SECONDS = 300;
/**
 * Maximum size of a round, as a multiple of its even share of the connections. If all connections are due together,
 * after an outage or a migration, they are spread over half an interval and keep that rhythm.
 */
const CATCH_UP = 2;
/**
 * Number of connections that a round may always poll, unless the quota is short. A vendor can handle this many polls at
 * once.
 */
const ALWAYS_TAKEN = 20;

/** Queues a pull for every due connection of the given providers. @returns the number of pulls */
export async function schedulePulls(
  services: ConnectedServices,
  providers: readonly ProviderId[],
  signal: AbortSignal,
): Promise<number> {
  let queued = 0;
  for (const provider of providers) {
    const adapter = services.connections.configurationOf(provider)?.cloud.pull;
    if (!adapter) continue;
    const use = await services.connections.settingOf(provider);
    if (!use.isEnabled) continue;
    const intervals = await pollIntervals(services, provider, use);
    const { seconds, connections } = roundOf(services.settings, intervals);
    for (let room = connections; room > 0; ) {
      const limit = Math.min(room, CONNECTIONS_PER_STEP);
      const due = await dueConnections(services, provider, intervals, limit);
      for (const id of due) {
        signal.throwIfAborted();
        if (await scheduleOne(services, id, { adapter, use, intervals, spreadSeconds: seconds })) queued += 1;
      }
      room -= due.length;
      if (due.length < limit) break;
    }
  }
  return queued;
}

/** Returns the seconds between two rounds: at least a dozen rounds per interval. */
function roundSeconds({ syncIntervalSeconds }: Pick<PullSettings, 'syncIntervalSeconds'>): number {
  return Math.max(1, Math.min(LONGEST_ROUND_SECONDS, Math.floor(syncIntervalSeconds / 12)));
}

/** Returns the length of a round and the maximum number of connections that it polls. */
export function roundOf(
  settings: Pick<PullSettings, 'syncIntervalSeconds'>,
  { linked, connections, isStretched }: Pick<PollIntervals, 'linked' | 'connections' | 'isStretched'>,
) {
  const seconds = roundSeconds(settings);
  const share = Math.ceil((CATCH_UP * connections * seconds) / linked);
  return { seconds, connections: isStretched ? share : Math.max(share, ALWAYS_TAKEN) };
}

/** Returns a connection's position in a round, 0 to 1. It depends on the random ID, so it is the same in each round. */
function phaseOf(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16) / 2 ** 32;
}

/**
 * Selects connections that were not polled within their interval. If several users share a vendor account, the oldest
 * connection is polled and shares the data. Also selects the connections of users who have no data yet or who consented
 * to more data types.
 */
async function dueConnections(
  { pool, now }: ConnectedServices,
  provider: ProviderId,
  intervals: PollIntervals,
  limit: number,
): Promise<string[]> {
  const nowMs = now().getTime();
  const before = (seconds: number) => new Date(nowMs - seconds * MS_PER_SECOND);
  const { rows } = await pool.query<{ id: string }>(
    `select c.id from connection c
      where c.provider = $1 and c.status = 'active' and (c.access_token is not null or c.refresh_token is not null)
        and (c.polled_at is null
             or c.polled_at <= case when c.account_state = 'linked' then $2::timestamptz else $3::timestamptz end)
        and (c.last_synced_at is null or not exists (
          select from connection o
           where o.provider = c.provider and o.provider_user_id = c.provider_user_id and o.status = 'active'
             and (o.created_at, o.id) < (c.created_at, c.id)
             and string_to_array(o.scope, ' ') @> string_to_array(c.scope, ' ')))
      order by c.polled_at nulls first limit $4`,
    [provider, before(intervals.linked), before(intervals.unlinked), limit],
  );
  return rows.map(({ id }) => id);
}

async function scheduleOne(
  services: ConnectedServices,
  id: string,
  how: { adapter: PullAdapter; use: ProviderSetting; intervals: PollIntervals; spreadSeconds: number },
): Promise<boolean> {
  const { pool, connections, now } = services;
  const connection = await connections.findConnectionById(id);
  await markPolled(pool, id, now());
  if (!connection) return false;
  if (services.historicalSyncOnConnect && isForgotten(connection, now())) {
    await queueBackfill(services, connection, BACKFILL_DAYS);
  }
  const dataTypes = isNotified(how.use) ? await unsubscribedTypes(services, connection, how) : undefined;
  if (dataTypes?.length === 0) return false;
  const startAt = new Date(now().getTime() + Math.round(how.spreadSeconds * phaseOf(id) * MS_PER_SECOND));
  const { isNew } = await queuePull(services, connection, { kind: 'live', dataTypes, startAt });
  return isNew;
}

/** True if the process crashed between a first consent and its follow-up work. */
function isForgotten({ backfillStartedAt, consentedAt }: Connection, now: Date): boolean {
  if (backfillStartedAt !== undefined || consentedAt === undefined) return false;
  return now.getTime() - consentedAt.getTime() < MS_PER_DAY;
}

/**
 * Returns the data types to poll in webhook mode: unreported types and types with possibly missing data. Also returns
 * types with unreliable reports if they were not polled for a day (or longer, if the quota is short). Returns
 * undefined, which means all types, before the first sync and if the vendor has been silent for suspiciously long.
 */
async function unsubscribedTypes(
  { pool, ...services }: ConnectedServices,
  connection: Connection,
  { adapter, use, intervals }: { adapter: PullAdapter; use: ProviderSetting; intervals: PollIntervals },
): Promise<string[] | undefined> {
  if (connection.lastSyncedAt === undefined || (await isWebhookStale({ pool, ...services }, connection)))
    return undefined;
  const states = await readTypeStates(pool, connection.id, use.changedAt);
  const missed = await missedTypes(pool, connection);
  const cloud = services.connections.configurationOf(connection.provider)?.cloud;
  const reconciledMs =
    cloud && losesReports(cloud)
      ? services.now().getTime() - intervals.reconciled * MS_PER_SECOND
      : Number.NEGATIVE_INFINITY;
  return adapter.dataTypes
    .filter(({ id, notified }) => {
      const state = states.get(id);
      if (!notified || missed.has(id) || !state?.isSettled) return true;
      return state.lastSuccessAt === undefined || state.lastSuccessAt.getTime() <= reconciledMs;
    })
    .map(({ id }) => id);
}

/** Returns the data types with reported changes that were not readable. */
async function missedTypes(pool: pg.Pool, { provider, providerUserId }: Connection): Promise<Set<string>> {
  const { rows } = await pool.query<{ data_type: string }>(
    `select distinct data_type from provider_notification
      where provider = $1 and provider_user_id = $2 and state = 'failed'`,
    [provider, providerUserId ?? null],
  );
  return new Set(rows.map(({ data_type }) => data_type));
}

/**
 * Checks for due connections at least a dozen times per interval. Polls therefore stay spread over the interval, like
 * the consents, and do not all run together.
 */
export function schedulePullsJob(services: ConnectedServices, providers: readonly ProviderId[]): JobDefinition<object> {
  return defineJob({
    name: SCHEDULE_JOB,
    payload: z.object({}),
    concurrency: 1,
    maxDurationSeconds: MAX_DURATION_SECONDS,
    retry: RETRY_NEVER,
    everySeconds: roundSeconds(services.settings),
    async run(_payload, { signal, log }) {
      const queued = await schedulePulls(services, providers, signal);
      if (queued > 0) log.debug({ event: 'pulls_scheduled', queued }, 'Scheduled syncs');
    },
  });
}
