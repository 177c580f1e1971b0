import { MS_PER_DAY, MS_PER_SECOND, type ProviderId } from '@healthd/model';
import type { PullAdapter } from '@healthd/providers';
import type pg from 'pg';
import { type Connection, markPolled, type ProviderSetting } from '../../connections/index.js';
import { type ConnectedServices, queueBackfill } from './connected.js';
import { readTypeStates } from './cursors.js';
import { pollIntervals } from './next-poll.js';
import { queuePull } from './open-runs.js';
import { BACKFILL_DAYS } from './pull-range.js';
import { isNotified } from './pull-turn.js';
import { isWebhookStale } from './stale-webhooks.js';

const CONNECTIONS_PER_STEP = 500;
/** Pulls of one round are spread over a tenth of their interval, and over ten minutes at most. */
const SPREAD_SHARE = 0.1;
const LONGEST_SPREAD_SECONDS = 600;
/** So often what a vendor reports is polled too, where its reports may be lost. */
const RECONCILED_EVERY_MS = MS_PER_DAY;

/** Queues a pull for every connection of the given providers whose turn it is. @returns how many */
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
    const intervals = pollIntervals(use, services.settings);
    for (;;) {
      const due = await dueConnections(services, provider, intervals);
      for (const id of due) {
        signal.throwIfAborted();
        if (await scheduleOne(services, id, { adapter, use, everySeconds: intervals.linked })) queued += 1;
      }
      if (due.length < CONNECTIONS_PER_STEP) break;
    }
  }
  return queued;
}

/**
 * Connections that were not polled for so long. Of several users with one vendor account the oldest is asked and hands
 * the data on, except to those who have none yet or consented to more.
 */
async function dueConnections(
  { pool, now }: ConnectedServices,
  provider: ProviderId,
  intervals: ReturnType<typeof pollIntervals>,
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
    [provider, before(intervals.linked), before(intervals.unlinked), CONNECTIONS_PER_STEP],
  );
  return rows.map(({ id }) => id);
}

async function scheduleOne(
  services: ConnectedServices,
  id: string,
  { adapter, use, everySeconds }: { adapter: PullAdapter; use: ProviderSetting; everySeconds: number },
): Promise<boolean> {
  const { pool, connections, now } = services;
  const connection = await connections.findConnectionById(id);
  await markPolled(pool, id, now());
  if (!connection) return false;
  if (services.historicalSyncOnConnect && isForgotten(connection, now())) {
    await queueBackfill(services, connection, BACKFILL_DAYS);
  }
  const dataTypes = isNotified(use) ? await unsubscribedTypes(services, connection, { adapter, use }) : undefined;
  if (dataTypes?.length === 0) return false;
  const spreadSeconds = Math.min(everySeconds * SPREAD_SHARE, LONGEST_SPREAD_SECONDS) * Math.random();
  const startAt = new Date(now().getTime() + Math.round(spreadSeconds * MS_PER_SECOND));
  const { isNew } = await queuePull(services, connection, { kind: 'live', dataTypes, startAt });
  return isNew;
}

/** The process died between a first consent and what follows it. */
function isForgotten({ backfillStartedAt, consentedAt }: Connection, now: Date): boolean {
  if (backfillStartedAt !== undefined || consentedAt === undefined) return false;
  return now.getTime() - consentedAt.getTime() < MS_PER_DAY;
}

/**
 * In webhook mode, the kinds of data that the vendor does not report, those of which something may be missing, where
 * reports may be lost those that were not polled for a day, and all of them when the vendor has reported nothing for so
 * long that something must be wrong. Undefined: all.
 */
async function unsubscribedTypes(
  { pool, ...services }: ConnectedServices,
  connection: Connection,
  { adapter, use }: { adapter: PullAdapter; use: ProviderSetting },
): Promise<string[] | undefined> {
  if (connection.lastSyncedAt === undefined || (await isWebhookStale({ pool, ...services }, connection)))
    return undefined;
  const states = await readTypeStates(pool, connection.id, use.changedAt);
  const missed = await missedTypes(pool, connection);
  const losesEvents = services.connections.configurationOf(connection.provider)?.cloud.webhook?.losesEvents === true;
  const reconciledMs = losesEvents ? services.now().getTime() - RECONCILED_EVERY_MS : Number.NEGATIVE_INFINITY;
  return adapter.dataTypes
    .filter(({ id, notified }) => {
      const state = states.get(id);
      if (!notified || missed.has(id) || !state?.isSettled) return true;
      return state.lastSuccessAt === undefined || state.lastSuccessAt.getTime() <= reconciledMs;
    })
    .map(({ id }) => id);
}

/** Kinds of data that the vendor reported and that could not be read then. */
async function missedTypes(pool: pg.Pool, { provider, providerUserId }: Connection): Promise<Set<string>> {
  const { rows } = await pool.query<{ data_type: string }>(
    `select distinct data_type from provider_notification
      where provider = $1 and provider_user_id = $2 and state = 'failed'`,
    [provider, providerUserId ?? null],
  );
  return new Set(rows.map(({ data_type }) => data_type));
}
