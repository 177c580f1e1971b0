import { hashOfId, NIGHT_SECONDS, type ProviderId, SLEEP_LENGTH } from '@healthd/model';
import type pg from 'pg';
import { ONE_LOOK_EACH, type QueryPart } from '../../../platform/database/index.js';
import type { SourceSpan } from '../sleep/source-span.js';
import { storableText } from '../storable-text.js';

/** Types of items that are not samples, used instead of a series. `ANY_ITEM` matches items of every type. */
export const SLEEP_ITEM = 0;
export const WORKOUT_ITEM = -1;
export const ANY_ITEM = -2;
/** A complete night that phones deleted. The start of its tombstone is the end of the night. */
const NIGHT = -3;

/** An id from `pushedIdKey`, and the series of its item. */
export interface TypedId {
  key: string;
  typeId: number;
}

/** Properties of a stored row or an arriving item that are compared with tombstones. */
export interface ItemTrace {
  sourceId: number;
  /** Series, {@link SLEEP_ITEM} or {@link WORKOUT_ITEM}. */
  typeId: number;
  startMs: number;
  /** Hash of the content, from {@link contentOf}. */
  content: number;
  /**
   * Id part of a sample's slot, as stored rows contain it; -1 without an id. For an arriving stage or workout with an
   * id, the value is -2, so that it never matches by content.
   */
  knownId: string;
}

/**
 * Returns a hash that distinguishes items of one source, series and start: by their end in whole seconds, and by value,
 * stage or type.
 */
export function contentOf(endMs: number, what: number | string): number {
  // Compares four digits. Files contain six digits, and the last digit may be rounded differently.
  const text = typeof what === 'number' ? what.toPrecision(4) : storableText(what);
  return hashOfId(`${Math.floor(endMs / 1000)} ${text}`);
}

/** True if phones ever reported a deletion. */
export const HAS_PUSHED_TOMBSTONES: QueryPart<object, boolean> = {
  sql: 'select 1 from pushed_tombstone where user_key = $1 limit 1',
  read: (rows) => rows.length > 0,
};

/** Returns the positions of ids that phones reported as deleted. */
export async function findDeletedIds(
  client: pg.ClientBase,
  userKey: number,
  provider: ProviderId,
  ids: readonly TypedId[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const { rows } = await client.query<{ at: number }>(
    `select distinct given.at::int - 1 as at
       from unnest($3::bigint[], $4::int2[]) with ordinality as given (id_hash, type_id, at)
       join pushed_tombstone t on t.user_key = $1 and t.provider = $2 and t.source_id = 0 and t.id_hash = given.id_hash
                              and t.type_id in (given.type_id, ${ANY_ITEM})`,
    [userKey, provider, ids.map(({ key }) => key), ids.map(({ typeId }) => typeId)],
  );
  return new Set(rows.map(({ at }) => at));
}

/**
 * Returns the positions of items that match an item that phones reported as deleted. Items with an id match only if the
 * ids are equal.
 */
export async function findDeletedItems(
  client: pg.ClientBase,
  userKey: number,
  items: readonly ItemTrace[],
): Promise<ReadonlySet<number>> {
  if (items.length === 0) return new Set();
  const { rows } = await client.query<{ at: number }>(
    `select distinct given.at::int - 1 as at
       from unnest($2::int[], $3::int2[], $4::float8[], $5::int[], $6::bigint[])
            with ordinality as given (source_id, type_id, second, content, known_id, at)
       join pushed_tombstone t on t.user_key = $1 and t.source_id = given.source_id and t.type_id = given.type_id
                              and t.start_at = to_timestamp(given.second) and t.content = given.content
                              and (given.known_id = -1 or t.id_hash = given.known_id)`,
    [userKey, ...columnsOf(items)],
  );
  return new Set(rows.map(({ at }) => at));
}

/**
 * Stores tombstones for ids that a phone reported as deleted, and for items that were deleted with these ids or in a
 * range.
 */
export async function recordPushedDeletions(
  client: pg.ClientBase,
  userKey: number,
  provider: ProviderId,
  { ids, items }: { ids: readonly TypedId[]; items: readonly ItemTrace[] },
): Promise<void> {
  if (ids.length > 0) {
    await client.query(
      `insert into pushed_tombstone (user_key, provider, source_id, id_hash, type_id, start_at, content)
       select $1, $2, 0, id_hash, type_id, 'epoch', 0 from unnest($3::bigint[], $4::int2[]) as given (id_hash, type_id)
       on conflict do nothing`,
      [userKey, provider, ids.map(({ key }) => key), ids.map(({ typeId }) => typeId)],
    );
  }
  if (items.length === 0) return;
  await client.query(
    `insert into pushed_tombstone (user_key, provider, source_id, type_id, start_at, content, id_hash)
     select $1, $2, source_id, type_id, to_timestamp(second), content, known_id
       from unnest($3::int[], $4::int2[], $5::float8[], $6::int[], $7::bigint[])
            as given (source_id, type_id, second, content, known_id)
     on conflict do nothing`,
    [userKey, provider, ...columnsOf(items)],
  );
}

/**
 * Stores the ends of nights whose remaining stages contain less than three hours of sleep, so that a nap of the same
 * day stays a nap. Compares the remaining stages, because several batches may delete one night. Ignores sleeps that had
 * less than three hours before, because they make no other session a nap. Call after the stages are deleted and before
 * the sessions are reassembled.
 */
export async function recordDeletedNights(
  client: pg.ClientBase,
  userKey: number,
  sourceIds: readonly number[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<void> {
  await client.query(
    `insert into pushed_tombstone (user_key, provider, source_id, type_id, start_at, content, id_hash)
     select s.user_key, d.provider, s.source_id, ${NIGHT}, s.end_at, 0, -1
       from sleep_session s
       join data_source d on d.user_key = s.user_key and d.source_id = s.source_id
      where s.user_key = $1 and s.source_id = any ($2::int[]) and s.assembled and s.asleep_seconds >= ${NIGHT_SECONDS}
        and s.start_at <= to_timestamp($4::float8 / 1000)
        and s.start_at > to_timestamp(($3::float8 - ${SLEEP_LENGTH.maxMs}) / 1000)
        and (select coalesce(sum(extract(epoch from upper(span) - lower(span))), 0)
               from (select unnest(${spansOf("'light', 'deep', 'rem'")} + (${spansOf("'sleeping'")} - ${spansOf("'awake'")})) as span
                       from sleep_stage g
                      where g.user_key = $1 and g.source_id = s.source_id
                        and g.start_at >= s.start_at and g.start_at < s.end_at ${ONE_LOOK_EACH}) left_over) < ${NIGHT_SECONDS}
     on conflict do nothing`,
    [userKey, sourceIds, fromMs, toMs],
  );
}

/** Returns SQL for the time that stages of these types cover. Overlapping time counts once. */
function spansOf(stages: string): string {
  return `coalesce(range_agg(tstzrange(g.start_at, g.end_at)) filter (where g.stage in (${stages})), '{}')`;
}

/** Returns the ends of a source's nights in a span that phones deleted. */
export async function deletedNightEnds(
  client: pg.ClientBase,
  userKey: number,
  { sourceId, fromMs, toMs }: SourceSpan,
): Promise<number[]> {
  const { rows } = await client.query<{ end_ms: number }>(
    `select extract(epoch from start_at)::float8 * 1000 as end_ms
       from pushed_tombstone
      where user_key = $1 and source_id = $2 and type_id = ${NIGHT}
        and start_at between to_timestamp($3::float8 / 1000) and to_timestamp($4::float8 / 1000)`,
    [userKey, sourceId, fromMs, toMs],
  );
  return rows.map(({ end_ms }) => end_ms);
}

/**
 * Deletes the tombstones of ids and items that a phone deletes and adds in one batch, so that they can be stored again.
 */
export async function removePushedTombstones(
  client: pg.ClientBase,
  userKey: number,
  provider: ProviderId,
  { ids, items }: { ids: readonly string[]; items: readonly ItemTrace[] },
): Promise<void> {
  if (ids.length > 0) {
    await client.query(
      `delete from pushed_tombstone
        where user_key = $1 and provider = $2 and source_id = 0 and id_hash = any ($3::bigint[])`,
      [userKey, provider, ids],
    );
  }
  if (items.length === 0) return;
  const [sourceIds, typeIds, seconds, contents] = columnsOf(items);
  await client.query(
    `delete from pushed_tombstone t
      using unnest($3::int[], $4::int2[], $5::float8[], $6::int[]) as given (source_id, type_id, second, content)
      where t.user_key = $1 and t.provider = $2 and t.source_id = given.source_id and t.type_id = given.type_id
        and t.start_at = to_timestamp(given.second) and t.content = given.content`,
    [userKey, provider, sourceIds, typeIds, seconds, contents],
  );
}

/** Moves tombstones from an alias to its named source, so that deleted items stay deleted. */
export async function movePushedTombstones(
  client: pg.ClientBase,
  userKey: number,
  fromId: number,
  toId: number,
): Promise<void> {
  await client.query(
    `with moved as (delete from pushed_tombstone where user_key = $1 and source_id = $2 returning *)
     insert into pushed_tombstone (user_key, provider, source_id, id_hash, type_id, start_at, content, deleted_at)
     select user_key, provider, $3, id_hash, type_id, start_at, content, deleted_at from moved on conflict do nothing`,
    [userKey, fromId, toId],
  );
}

function columnsOf(items: readonly ItemTrace[]): (number | string)[][] {
  return [
    items.map(({ sourceId }) => sourceId),
    items.map(({ typeId }) => typeId),
    items.map(({ startMs }) => Math.floor(startMs / 1000)),
    items.map(({ content }) => content),
    items.map(({ knownId }) => knownId),
  ];
}
