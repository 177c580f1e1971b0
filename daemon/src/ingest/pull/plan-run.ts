import type { ProviderId } from '@healthd/model';
import { losesReports, type PullAdapter, type PullDataType } from '@healthd/providers';
import type pg from 'pg';
import { type DueItems, dueItems, isGranted, readTypeStates, type TypeState } from '../../connections/index.js';
import { inTransaction } from '../../platform/database/index.js';
import { type PlannedRange, planRanges } from '../../runs/index.js';
import { type NotifiedChange, notifiedAccount, rangesToRead } from './notified-ranges.js';
import { followsCursors, type OpenRun } from './open-runs.js';
import { isNotified, type PullContext } from './pull-context.js';
import { liveRange } from './pull-range.js';
import type { PullServices } from './pull-services.js';

/** Stores the ranges that a run will read. */
export async function planRun(services: PullServices, run: OpenRun, context: PullContext): Promise<void> {
  const { pool, runs } = services;
  const maxDays = await storedDays(services, context.connection.provider);
  await inTransaction(pool, async (client) => {
    const moved = await runs.moveIn(client, run.runId, 'started', { message: 'Reading from the vendor.', progress: 0 });
    if (moved !== 'recorded') return;
    const states = await readTypeStates(client, context.connection.id, context.use.changedAt);
    const types = requestedTypes(context.adapter, run, states, services.now().getTime());
    const missed = followsCursors(run)
      ? await claimMissedChanges(services, client, run.runId, types, context)
      : new Map<string, number>();
    const due = followsCursors(run) ? await dueItems(client, context.connection.id, services.now()) : [];
    const ranges = rangesOf(services, run, types, context, { states, missed, maxDays });
    await planRanges(client, run.runId, [...ranges, ...beyond(ranges, due)]);
  });
  runs.announce(context.connection.userKey);
}

/** State that determines the ranges of a run. */
interface KnownOfTypes {
  states: ReadonlyMap<string, TypeState>;
  missed: ReadonlyMap<string, number>;
  /** Undefined: no limit. */
  maxDays: number | undefined;
}

/** Returns the maximum age in days of data that the vendor returns and that may be stored; undefined: no limit. */
async function storedDays(services: PullServices, provider: ProviderId): Promise<number | undefined> {
  const maxDays = services.maxHistoricalDays(provider);
  const cacheDays = await services.cacheDays(provider);
  // Adds two days: the oldest storable local day starts up to 14 hours before its UTC date, and today's UTC date may be
  // almost over.
  return cacheDays === undefined ? maxDays : Math.min(cacheDays + 2, maxDays ?? Number.POSITIVE_INFINITY);
}

function rangesOf(
  { connections, settings, now }: PullServices,
  { kind, fromAt }: OpenRun,
  types: readonly PullDataType[],
  { connection, use }: PullContext,
  { states, missed, maxDays }: KnownOfTypes,
): PlannedRange[] {
  const nowMs = now().getTime();
  const cloud = connections.configurationOf(connection.provider)?.cloud;
  const notified = isNotified(use) && !(cloud && losesReports(cloud));
  return types.map((type): PlannedRange => {
    const dataType = type.id;
    const state = states.get(dataType);
    const byNotification = notified && type.notified && kind === 'live' && state?.isSettled === true;
    if (!isGranted(type.scopes, connection.grantedScopes)) {
      return { dataType, startMs: nowMs, endMs: nowMs, skipped: 'scope_missing' };
    }
    const facts = {
      type,
      nowMs,
      cursorMs: state?.cursorMs,
      connectedMs: (connection.consentedAt ?? connection.createdAt).getTime(),
      lookbackMs: use.liveSyncMode === 'pull' ? settings.lookbackMs : undefined,
      maxHistoricalDays: maxDays,
      notifiedUntilMs: byNotification ? connection.lastNotifiedAt?.getTime() : undefined,
      missedFromMs: missed.get(dataType),
      sinceMs: fromAt?.getTime(),
    };
    return { dataType, ...liveRange(facts) };
  });
}

/** Returns the awaited items that are older than the range of their data type. */
function beyond(ranges: readonly PlannedRange[], due: readonly DueItems[]): readonly DueItems[] {
  return due.filter(({ dataType, startMs }) =>
    ranges.some((range) => range.dataType === dataType && range.skipped === undefined && startMs < range.startMs),
  );
}

function typesOf(
  { dataTypes: all }: Pick<PullAdapter, 'dataTypes'>,
  requested: readonly string[] | undefined,
): readonly PullDataType[] {
  return requested === undefined ? all : all.filter(({ id }) => requested.includes(id));
}

/**
 * Returns the data types to request. Because the quota may be small, a scheduled pull skips types that the vendor
 * recently rejected, unless it rejected all types.
 */
export function requestedTypes(
  adapter: Pick<PullAdapter, 'dataTypes'>,
  { kind, dataTypes }: Pick<OpenRun, 'kind' | 'dataTypes'>,
  states: ReadonlyMap<string, TypeState>,
  nowMs: number,
): readonly PullDataType[] {
  const types = typesOf(adapter, dataTypes);
  if (kind !== 'live') return types;
  const open = types.filter(({ id, rejectedForMs = 0 }) => {
    const rejectedMs = states.get(id)?.rejectedAt?.getTime();
    return rejectedMs === undefined || nowMs - rejectedMs >= rejectedForMs;
  });
  return open.length === 0 ? types : open;
}

/**
 * Claims the reported changes that were not readable when they were reported. Their notifications end with this run.
 * @returns the start of the earliest change of each data type
 */
async function claimMissedChanges(
  { now }: PullServices,
  client: pg.ClientBase,
  runId: string,
  types: readonly PullDataType[],
  { connection, linked }: PullContext,
): Promise<Map<string, number>> {
  const granted = types.filter(({ scopes }) => isGranted(scopes, connection.grantedScopes));
  const { rows } = await client.query<{
    data_type: string;
    item_id: string | null;
    operation: NotifiedChange['operation'];
    start_at: Date;
    end_at: Date;
  }>(
    `update provider_notification set run_id = $1
      where provider = $2 and provider_user_id = $3 and state = 'failed' and data_type = any ($4::text[])
     returning data_type, item_id, operation, start_at, end_at`,
    [runId, connection.provider, connection.providerUserId ?? null, granted.map(({ id }) => id)],
  );
  const earliest = new Map<string, number>();
  const account = notifiedAccount([connection, ...linked], now());
  for (const type of granted) {
    const changes = rows
      .filter(({ data_type }) => data_type === type.id)
      .map(({ item_id, operation, start_at, end_at }) => ({
        itemId: item_id ?? undefined,
        operation,
        startMs: start_at.getTime(),
        endMs: end_at.getTime(),
      }));
    const [first] = await rangesToRead(client, account, type, changes);
    if (first) earliest.set(type.id, first.startMs);
  }
  return earliest;
}
