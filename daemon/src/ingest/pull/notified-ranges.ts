import { MS_PER_DAY, MS_PER_HOUR, type ProviderId } from '@healthd/model';
import {
  joinRanges,
  type PullDataType,
  type StoredAs,
  type TimeRange,
  type VendorNotification,
} from '@healthd/providers';
import type pg from 'pg';
import type { Connection } from '../../connections/index.js';
import { BACKFILL_DAYS } from './pull-range.js';

/** Maximum distance of a time zone from UTC. The UTC date with this margin on both sides contains the local date. */
const WIDEST_OFFSET_MS = 14 * MS_PER_HOUR;
/** Maximum time by which the vendor's clock may be ahead. */
const CLOCK_SKEW_MS = MS_PER_HOUR;

/** A change that a vendor reported. */
export interface NotifiedChange extends TimeRange {
  operation: VendorNotification['operation'];
  /** ID of the changed item, if the vendor reported no time. */
  itemId?: string | undefined;
}

/** The users that a change affects: all users with the vendor's account. */
export interface NotifiedAccount {
  provider: ProviderId;
  userKeys: readonly number[];
  /** Start of the requested history. Older stored data did not come from pulls. */
  reachedFromMs: number;
  nowMs: number;
}

/** @param connections at least one connection of one vendor account */
export function notifiedAccount(connections: readonly [Connection, ...Connection[]], now: Date): NotifiedAccount {
  const connectedMs = Math.min(
    ...connections.map(({ consentedAt, createdAt }) => (consentedAt ?? createdAt).getTime()),
  );
  return {
    provider: connections[0].provider,
    userKeys: connections.map(({ userKey }) => userKey),
    reachedFromMs: connectedMs - BACKFILL_DAYS * MS_PER_DAY,
    nowMs: now.getTime(),
  };
}

/**
 * Returns the ranges to read again after changes of one data type, oldest first. Limits deletions, and changes from
 * before the readable time, to stored data. A vendor may report years of changes, e.g. after a user deletes everything.
 */
export async function rangesToRead(
  client: pg.Pool | pg.ClientBase,
  { provider, userKeys, reachedFromMs, nowMs }: NotifiedAccount,
  { stored, itemsIn }: Pick<PullDataType, 'stored' | 'itemsIn'>,
  changes: readonly NotifiedChange[],
): Promise<TimeRange[]> {
  const items = await itemSpans(client, { provider, userKeys, nowMs }, itemsIn, changes);
  const ranges: TimeRange[] = [...items.values()].flat();
  const ofStored: TimeRange[] = [];
  for (const { operation, startMs, endMs, itemId } of changes) {
    if (itemId !== undefined && items.has(itemId)) continue;
    // Skips the item, because it was never stored or an earlier report has already deleted it.
    if (operation === 'delete' && itemId !== undefined && stored.of === itemsIn) continue;
    const until = { startMs, endMs: Math.min(endMs, nowMs + CLOCK_SKEW_MS) };
    const reached = operation === 'delete' ? undefined : overlap(until, { startMs: reachedFromMs, endMs: until.endMs });
    if (reached) ranges.push(reached);
    if (operation === 'delete') ofStored.push(until);
    else if (startMs < reachedFromMs) ofStored.push({ startMs, endMs: Math.min(until.endMs, reachedFromMs) });
  }
  for (const range of joinRanges(ofStored)) {
    if (range.endMs <= range.startMs) continue;
    const spans = await storedSpans(client, { provider, userKeys }, stored, range);
    ranges.push(...spans.flatMap((span) => overlap(span, range) ?? []));
  }
  return joinRanges(ranges);
}

/** Maximum time by which a user may move an item's start or end. */
const EDITED_MS = MS_PER_DAY;

/** Returns the spans around stored items, by ID. Items that are not stored have no span. */
async function itemSpans(
  client: pg.Pool | pg.ClientBase,
  { provider, userKeys, nowMs }: Pick<NotifiedAccount, 'provider' | 'userKeys' | 'nowMs'>,
  itemsIn: PullDataType['itemsIn'],
  changes: readonly NotifiedChange[],
): Promise<Map<string, TimeRange[]>> {
  const ids = changes.flatMap(({ itemId }) => itemId ?? []);
  if (itemsIn === undefined || ids.length === 0) return new Map();
  const { rows } = await client.query<{ external_id: string; start_at: Date; end_at: Date }>(
    `select s.external_id, s.start_at, s.end_at from ${SESSION_TABLES[itemsIn]} s
       join data_source d on d.user_key = s.user_key and d.source_id = s.source_id and d.provider = $2
      where s.user_key = any ($1::bigint[]) and s.external_id = any ($3::text[])`,
    [userKeys, provider, ids],
  );
  const spans = new Map<string, TimeRange[]>();
  for (const { external_id: id, start_at, end_at } of rows) {
    const endMs = Math.min(end_at.getTime() + EDITED_MS, nowMs + CLOCK_SKEW_MS);
    const span = { startMs: start_at.getTime() - EDITED_MS, endMs };
    spans.set(id, [...(spans.get(id) ?? []), span]);
  }
  return spans;
}

/** Tables of the sessions that carry item IDs. */
export const SESSION_TABLES = { sleep_sessions: 'sleep_session', workouts: 'workout' } as const;

const utcDate = (ms: string) => `(to_timestamp(${ms}::float8 / 1000) at time zone 'UTC')::date`;

/** Returns the spans of stored data within a range; whole dates for samples. */
async function storedSpans(
  client: pg.Pool | pg.ClientBase,
  { provider, userKeys }: Pick<NotifiedAccount, 'provider' | 'userKeys'>,
  stored: StoredAs,
  { startMs, endMs }: TimeRange,
): Promise<TimeRange[]> {
  const sources = 'join data_source d on d.user_key = s.user_key and d.source_id = s.source_id and d.provider = $2';
  if (stored.of === 'samples') {
    const { rows } = await client.query<{ day_ms: number }>(
      `select distinct extract(epoch from s.local_date)::float8 * 1000 as day_ms from day_value s ${sources}
        where s.user_key = any ($1::bigint[]) and s.type_id = any ($3::smallint[])
          and s.local_date between ${utcDate('$4')} - 1 and ${utcDate('$5')} + 1`,
      [userKeys, provider, stored.typeIds, startMs, endMs],
    );
    return rows.map(({ day_ms: dayMs }) => ({
      startMs: dayMs - WIDEST_OFFSET_MS,
      endMs: dayMs + MS_PER_DAY + WIDEST_OFFSET_MS,
    }));
  }
  const table = SESSION_TABLES[stored.of];
  const { rows } = await client.query<{ start_at: Date; end_at: Date }>(
    `select s.start_at, s.end_at from ${table} s ${sources}
      where s.user_key = any ($1::bigint[]) and s.start_at < to_timestamp($4::float8 / 1000)
        and s.end_at >= to_timestamp($3::float8 / 1000)`,
    [userKeys, provider, startMs, endMs],
  );
  return rows.map(({ start_at, end_at }) => ({ startMs: start_at.getTime(), endMs: end_at.getTime() + 1 }));
}

function overlap(one: TimeRange, other: TimeRange): TimeRange | undefined {
  const startMs = Math.max(one.startMs, other.startMs);
  const endMs = Math.min(one.endMs, other.endMs);
  return startMs < endMs ? { startMs, endMs } : undefined;
}
