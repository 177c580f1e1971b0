import type { HealthRecord } from '@healthd/model';
import { type DeliveredRecords, type DeliveryAdapter, Tally, type TimeRange, Turns } from '@healthd/providers';
import type pg from 'pg';
import { groupedBy } from '../../platform/grouped-by.js';
import type { BufferedItem } from './account-buffer.js';
import { chooseItems, type ItemOfOtherType, type KnownItem } from './item-versions.js';

/** SQL condition: a known item overlaps one of the spans in parameters 3 and 4, in milliseconds. */
const MEETS_A_SPAN = `tstzrange(v.from_at, v.to_at, '[]') && (
          select range_agg(tstzrange(to_timestamp(start_ms / 1000), to_timestamp(end_ms / 1000), '[]'))
            from unnest($3::float8[], $4::float8[]) as arriving (start_ms, end_ms))`;

/** The items of one data type and one connection. */
export interface ItemsOfType {
  dataType: string;
  items: DeliveredRecords[];
  tally: Tally;
}

/**
 * Reads items and drops items that have a newer version in the store or in the delivery. A vendor may resend a rejected
 * delivery after later deliveries. The user's row must be locked.
 */
export async function newestItems(
  client: pg.ClientBase,
  connectionId: string,
  adapter: DeliveryAdapter,
  buffered: readonly BufferedItem[],
  at: Date,
): Promise<ItemsOfType[]> {
  const types = new Map<string, ItemsOfType>();
  const turns = new Turns();
  for (const { dataType, value, piece, fault } of buffered) {
    const type = types.get(dataType) ?? { dataType, items: [], tally: new Tally(dataType) };
    types.set(dataType, type);
    if (fault !== undefined) {
      type.tally.reject(type.tally.next(), undefined, fault);
      continue;
    }
    const read = adapter.records(dataType, value, type.tally, piece);
    if (read) type.items.push(piece?.isLast === false ? { ...read, isContinued: true } : read);
    await turns.yieldIfLong();
  }
  await keepHighestRanks(client, connectionId, [...types.values()], at);
  for (const type of types.values()) await keepNewest(client, connectionId, type, at, turns);
  // Puts data types with higher ranks first, because lower-ranked items only complete higher-ranked items.
  return [...types.values()].sort((a, b) => rankOf(b) - rankOf(a));
}

function rankOf({ items }: ItemsOfType): number {
  return items.reduce((highest, { precedence }) => Math.max(highest, precedence?.rank ?? 0), 0);
}

/** Restricts workouts of a type with a lower rank: they only complete stored workouts of a higher-ranked type. */
async function keepHighestRanks(
  client: pg.ClientBase,
  connectionId: string,
  types: readonly ItemsOfType[],
  at: Date,
): Promise<void> {
  const ranked = types.flatMap(({ items }) => items.flatMap(({ precedence }) => precedence ?? []));
  for (const family of new Set(ranked.map((one) => one.family))) {
    const own = ranked.filter((one) => one.family === family);
    const { rows } = await client.query<{ item: string; version: number }>(
      'select item, version from delivered_version where connection_id = $1 and data_type = $2 and item = any ($3::text[])',
      [connectionId, family, own.map(({ key }) => key)],
    );
    const highest = new Map(rows.map(({ item, version }) => [item, version]));
    const raised = new Map<string, number>();
    for (const { key, rank } of own) {
      if (rank <= (highest.get(key) ?? 0)) continue;
      highest.set(key, rank);
      raised.set(key, rank);
    }
    await recordVersions(
      client,
      connectionId,
      family,
      [...raised].map(([key, version]) => ({ key, version })),
      at,
    );
    for (const type of types) {
      type.items = type.items.map((item) => {
        const { precedence } = item;
        const isOutranked = precedence?.family === family && precedence.rank < (highest.get(precedence.key) ?? 0);
        return isOutranked ? { ...item, records: item.records.map(asCompletion) } : item;
      });
    }
  }
}

function asCompletion(record: HealthRecord): HealthRecord {
  return record.kind === 'workout' ? { ...record, isCompletion: true } : record;
}

async function keepNewest(
  client: pg.ClientBase,
  connectionId: string,
  type: ItemsOfType,
  at: Date,
  turns: Turns,
): Promise<void> {
  if (type.items.every(({ key }) => key === undefined)) return;
  const known = await knownItems(client, connectionId, type);
  const otherTypeItems = await itemsOfOtherTypes(client, connectionId, type, known);
  const { items, replacedKeys, replaced } = await turns.run(chooseItems(known, type.items, otherTypeItems));
  type.tally.superseded += type.items.length - items.length;
  type.items = items;
  await client.query(
    'delete from delivered_version where connection_id = $1 and data_type = $2 and item = any ($3::text[])',
    [connectionId, type.dataType, replacedKeys],
  );
  const stand = items.flatMap(({ key, version, exclusive, day, span }): RecordedVersion[] => {
    if (key === undefined || (version === undefined && !exclusive)) return [];
    return [
      {
        key,
        version: version ?? 0,
        ...((exclusive || day !== undefined) && { span }),
        ...(exclusive && { rank: exclusive.rank }),
      },
    ];
  });
  await recordVersions(client, connectionId, type.dataType, [...stand, ...replaced], at);
  type.items = await withSpansOfDay(client, connectionId, type);
}

/** Adds the spans of all items of a day to the day's scores, because only the day's highest score counts. */
async function withSpansOfDay(
  client: pg.ClientBase,
  connectionId: string,
  { dataType, items }: ItemsOfType,
): Promise<DeliveredRecords[]> {
  const days = new Set(items.flatMap(({ day }) => day ?? []));
  if (days.size === 0) return items;
  const { rows } = await client.query<TimeRange & { day: string }>(
    `select split_part(item, ' ', 1) as day, extract(epoch from from_at)::float8 * 1000 as "startMs",
            extract(epoch from to_at)::float8 * 1000 as "endMs"
       from delivered_version
      where connection_id = $1 and data_type = $2 and from_at is not null and split_part(item, ' ', 1) = any ($3::text[])`,
    [connectionId, dataType, [...days]],
  );
  const spansOfDay = groupedBy(rows, ({ day }) => day);
  return items.map((item) => {
    const spans = spansOfDay.get(item.day ?? '') ?? [];
    const records = item.records.map((record) =>
      record.kind === 'health_score' && record.highestOf
        ? { ...record, highestOf: { ...record.highestOf, spans } }
        : record,
    );
    return { ...item, records };
  });
}

/** Returns the known versions with the items' keys or within their exclusive time. */
async function knownItems(
  client: pg.ClientBase,
  connectionId: string,
  { dataType, items }: ItemsOfType,
): Promise<KnownItem[]> {
  const spans = exclusiveSpans(items);
  const isFollowing = items.some(({ exclusive }) => exclusive?.follows);
  const { rows } = await client.query<{
    key: string;
    version: number;
    rank: number | null;
    startMs: number;
    endMs: number;
  }>(
    `select item as key, version, rank, extract(epoch from from_at)::float8 * 1000 as "startMs",
            extract(epoch from to_at)::float8 * 1000 as "endMs"
       from delivered_version v
      where connection_id = $1 and data_type = $2
        and (item = any ($5::text[]) or ${MEETS_A_SPAN})
      order by from_at, item`,
    [
      connectionId,
      dataType,
      spans.map(({ startMs }) => startMs),
      spans.map(({ endMs }) => endMs),
      items.flatMap(({ key }) => key ?? []),
    ],
  );
  return rows.map(({ key, version, rank, startMs, endMs }) => {
    if (rank === null) return { key, version, isReplaced: isFollowing };
    return { key, version, exclusive: { rank, span: { startMs: Math.round(startMs), endMs: Math.round(endMs) } } };
  });
}

/**
 * Returns the current items of other data types that the items refer to, if they overlap the arriving or known items.
 */
async function itemsOfOtherTypes(
  client: pg.ClientBase,
  connectionId: string,
  { items }: ItemsOfType,
  known: readonly KnownItem[],
): Promise<ItemOfOtherType[]> {
  const dataTypes = items.flatMap(({ exclusive }) => [
    ...(exclusive?.follows ? [exclusive.follows.dataType] : []),
    ...(exclusive?.replaces.flatMap((part) => (part.where === 'outside' ? [part.dataType] : [])) ?? []),
  ]);
  if (dataTypes.length === 0) return [];
  const spans = [...exclusiveSpans(items), ...known.flatMap(({ exclusive }) => exclusive?.span ?? [])];
  const { rows } = await client.query<{ dataType: string; rank: number; startMs: number; endMs: number }>(
    `select data_type as "dataType", rank, extract(epoch from from_at)::float8 * 1000 as "startMs",
            extract(epoch from to_at)::float8 * 1000 as "endMs"
       from delivered_version v
      where connection_id = $1 and data_type = any ($2::text[]) and rank is not null and ${MEETS_A_SPAN}
      order by from_at, item`,
    [connectionId, [...new Set(dataTypes)], spans.map(({ startMs }) => startMs), spans.map(({ endMs }) => endMs)],
  );
  return rows.map(({ dataType, rank, startMs, endMs }) => ({
    dataType,
    rank,
    span: { startMs: Math.round(startMs), endMs: Math.round(endMs) },
  }));
}

function exclusiveSpans(items: readonly DeliveredRecords[]): TimeRange[] {
  return items.flatMap(({ exclusive, span }) => (exclusive ? [span] : []));
}

/** A recorded version. Has no rank if it was replaced or if its type allows overlaps. */
interface RecordedVersion {
  key: string;
  version: number;
  rank?: number;
  span?: TimeRange;
}

async function recordVersions(
  client: pg.ClientBase,
  connectionId: string,
  dataType: string,
  recordedVersions: readonly RecordedVersion[],
  at: Date,
): Promise<void> {
  if (recordedVersions.length === 0) return;
  await client.query(
    `insert into delivered_version (connection_id, data_type, item, version, rank, from_at, to_at, seen_at)
     select $1, $2, item, version, rank, to_timestamp(from_ms / 1000), to_timestamp(to_ms / 1000), $3
       from unnest($4::text[], $5::float8[], $6::int[], $7::float8[], $8::float8[]) as n (item, version, rank, from_ms, to_ms)
     on conflict (connection_id, data_type, item) do update
        set version = excluded.version, rank = excluded.rank, from_at = excluded.from_at, to_at = excluded.to_at,
            seen_at = excluded.seen_at`,
    [
      connectionId,
      dataType,
      at,
      recordedVersions.map(({ key }) => key),
      recordedVersions.map(({ version }) => version),
      recordedVersions.map(({ rank }) => rank ?? null),
      recordedVersions.map(({ span }) => span?.startMs ?? null),
      recordedVersions.map(({ span }) => span?.endMs ?? null),
    ],
  );
}

/** Deletes the recorded versions of a connection. A former account's items are unrelated to a new account's items. */
export async function forgetVersions(pool: pg.Pool, connectionId: string): Promise<void> {
  await pool.query('delete from delivered_version where connection_id = $1', [connectionId]);
}
