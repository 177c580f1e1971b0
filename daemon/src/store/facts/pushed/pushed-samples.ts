import {
  COMPUTED_SERIES,
  COMPUTED_SLOT,
  hashOfSlot,
  NO_ID,
  type ProviderId,
  SLOT_HAS_ID_BIT,
  SLOT_HASH_BITS,
} from '@healthd/model';
import type pg from 'pg';
import { ONE_LOOK_EACH, type QueryPart } from '../../../platform/database/index.js';
import { hasOneOfKeys, SAMPLE_KEY } from '../samples/sample-batch-columns.js';
import { type SampleRows, sampleKeyOf } from '../samples/sample-rows.js';
import {
  DEVICE_OF_ROW,
  HAS_GIVEN_ID,
  ID_OF_ROW,
  SLOTS_OF_GIVEN_ID,
  type PushedItems,
  WITHOUT_ID,
} from './pushed-items.js';

/** SQL condition that a sample `s` without an id was pushed. The first parameter is the user. */
export const PUSHED_WITHOUT_ID = `(s.pushed is not null or exists (select from pushed_sample p
  where p.user_key = $1 and p.id_hash = ${WITHOUT_ID} and p.type_id = s.type_id and p.start_at = s.start_at
    and p.source_id = s.source_id and p.slot = s.slot ${ONE_LOOK_EACH}))`;

/**
 * Maximum number of phones per user and provider that are identified by name. Further phones share one number without a
 * name.
 */
const MAX_DEVICES = 50;

/** A phone that has pushed for a user, and its number. */
export interface PushDevice {
  device: number;
  provider: string;
  name: string;
}

export const PUSH_DEVICES: QueryPart<PushDevice, PushDevice[]> = {
  sql: 'select device, provider, name from push_device where user_key = $1',
  read: (rows) => rows,
};

/** The phone that pushes. `isNew` is true if it gets a new number. */
export interface DecidedDevice extends PushDevice {
  isNew: boolean;
}

/** Returns the phone's number. Assigns a new number to a phone that has not pushed before. */
export function decidePushDevice(
  devices: readonly PushDevice[],
  { provider, device: name }: { provider: ProviderId; device: string },
): DecidedDevice {
  const find = (name: string) => devices.find((row) => row.provider === provider && row.name === name);
  const isFull = devices.filter((row) => row.provider === provider).length >= MAX_DEVICES;
  const used = isFull ? '' : name;
  const known = find(name) ?? find(used);
  if (known) return { ...known, isNew: false };
  const device = devices.reduce((most, row) => Math.max(most, row.device), -1) + 1;
  return { device, provider, name: used, isNew: true };
}

/**
 * Stores a new phone, and the ids of the items that need separate rows. An item keeps the ids of earlier pushes.
 * The user's row must be locked.
 */
export async function listPushed(
  client: pg.ClientBase,
  userKey: number,
  { device, provider, name, isNew }: DecidedDevice,
  lists: readonly PushedItems[],
): Promise<void> {
  if (isNew) {
    await client.query('insert into push_device (user_key, device, provider, name) values ($1, $2, $3, $4)', [
      userKey,
      device,
      provider,
      name,
    ]);
  }
  for (const items of lists) await insertListed(client, userKey, device, items);
}

/** Maximum number of items per statement. Limits the time for which building its parameters blocks the event loop. */
const INSERTED_AT_ONCE = 10_000;

async function insertListed(client: pg.ClientBase, userKey: number, device: number, items: PushedItems): Promise<void> {
  for (let from = 0; from < items.length; from += INSERTED_AT_ONCE) {
    await insertSome(client, userKey, device, items, from);
  }
}

async function insertSome(client: pg.ClientBase, userKey: number, device: number, items: PushedItems, from: number) {
  const listed = <Column extends Float64Array | Int32Array | Int16Array>(column: Column) =>
    Array.from(column.subarray(from, Math.min(items.length, from + INSERTED_AT_ONCE)));
  await client.query({
    name: 'records-list-pushed',
    text: `insert into pushed_sample (user_key, device, id_hash, parent_hash, start_at, source_id, slot, type_id)
           select $1, $2::smallint, given.*
             from (select id_hash, parent_hash, to_timestamp(start_ms / 1000) as start_at, source_id, slot, type_id
                     from unnest($3::bigint[], $4::bigint[], $5::float8[], $6::int[], $7::int[], $8::int2[])
                          as given (id_hash, parent_hash, start_ms, source_id, slot, type_id)) given
            where given.parent_hash is not null or not exists (
              select from sample s
               where s.user_key = $1 and s.type_id = given.type_id and s.start_at = given.start_at
                 and s.source_id = given.source_id and s.slot = given.slot
                 and s.pushed is not null and ${ID_OF_ROW} = given.id_hash and ${DEVICE_OF_ROW} = $2::smallint ${ONE_LOOK_EACH})
           on conflict do nothing`,
    values: [
      userKey,
      device,
      listed(items.id),
      listed(items.parent).map((parent) => (Number.isNaN(parent) ? null : parent)),
      listed(items.startMs),
      listed(items.sourceId),
      listed(items.slot),
      listed(items.typeId),
    ],
  });
}

/** Copies the ids in rows of `sample` into separate rows, before the rows of `sample` are rewritten. */
export async function listIdsOfRows(client: pg.ClientBase, userKey: number, rows: SampleRows): Promise<void> {
  const keys = Array.from({ length: rows.length }, (_, row) => sampleKeyOf(rows, row));
  await client.query(
    `insert into pushed_sample (user_key, device, id_hash, start_at, source_id, slot, type_id)
     select s.user_key, ${DEVICE_OF_ROW}, ${ID_OF_ROW}, s.start_at, s.source_id, s.slot, s.type_id
       from sample s where ${hasOneOfKeys(2, 's.pushed is not null')}
     on conflict do nothing`,
    [userKey, ...SAMPLE_KEY.values(keys)],
  );
}

/** A stored sample that a phone pushed. */
export interface PushedSample {
  typeId: number;
  sourceId: number;
  slot: number;
  startMs: number;
  durationMs: number | null;
  offsetMinutes: number | null;
  value: number;
  /** Position of one of the deletions that select this sample. */
  at: number;
}

const COLUMNS = `s.type_id as "typeId", s.source_id as "sourceId", s.slot, s.value, s.duration_ms as "durationMs",
  s.offset_minutes as "offsetMinutes", extract(epoch from s.start_at)::float8 * 1000 as "startMs"`;

/**
 * Finds samples that were pushed with one of the ids, or as parts of an item with one of the ids. May return a sample
 * twice.
 * @param ids from `pushedIdKey`
 */
export async function findPushedSamples(
  client: pg.ClientBase,
  userKey: number,
  sourceIds: readonly number[],
  ids: readonly string[],
): Promise<PushedSample[]> {
  const listed = (column: string) => `
    select p.type_id, p.start_at, p.source_id, p.slot, given.at
      from unnest($3::bigint[]) with ordinality as given (id_hash, at)
      join pushed_sample p on p.user_key = $1 and p.${column} = given.id_hash`;
  const { rows } = await client.query<PushedSample>(
    `select ${COLUMNS}, listed.at::int - 1 as at from (${listed('id_hash')} union all ${listed('parent_hash')}) listed
      cross join lateral (
        select * from sample
         where user_key = $1 and type_id = listed.type_id and start_at = listed.start_at and source_id = listed.source_id
           and slot = listed.slot and source_id = any ($2::int[])
        ${ONE_LOOK_EACH}) s
     union all
     select ${COLUMNS}, given.at::int - 1 as at from unnest($3::bigint[]) with ordinality as given (id_hash, at)
      cross join lateral ${SLOTS_OF_GIVEN_ID}
      cross join lateral (
        select * from sample s where ${HAS_GIVEN_ID} and s.source_id = any ($2::int[])
        ${ONE_LOOK_EACH}) s`,
    [userKey, sourceIds, ids],
  );
  return rows;
}

/**
 * Finds samples with one of the ids that were pushed before complete ids were stored. Their rows contain only 28 bits
 * of the id. Skips samples whose complete id is stored in their row or in a separate row.
 * @param hashes from `hashOfId`
 */
export async function findUnlistedSamples(
  client: pg.ClientBase,
  userKey: number,
  sourceIds: readonly number[],
  hashes: readonly number[],
): Promise<PushedSample[]> {
  if (sourceIds.length === 0 || hashes.length === 0) return [];
  const { rows } = await client.query<PushedSample>(
    `with found as materialized (
       select s.*, given.at
         from unnest($3::int[]) with ordinality as given (hash, at)
         join sample s on s.user_key = $1 and s.source_id = any ($2::int[]) and s.slot & ${SLOT_HAS_ID_BIT} <> 0
                      and s.slot & ${SLOT_HASH_BITS} = given.hash)
     select ${COLUMNS}, s.at::int - 1 as at from found s
      where s.pushed is null and (s.type_id, s.start_at, s.source_id, s.slot) not in (
              select type_id, start_at, source_id, slot from pushed_sample where user_key = $1)`,
    [userKey, sourceIds, hashes],
  );
  return rows;
}

/** A span of one series of one source, with an exclusive end. Spans of one source and series must not overlap. */
export interface PushedStretch {
  typeId: number;
  sourceId: number;
  startMs: number;
  endMs: number;
}

const stretchesSql = (first: number) =>
  `unnest($${first}::int2[], $${first + 1}::int[], $${first + 2}::float8[], $${first + 3}::float8[])
     as given (type_id, source_id, start_ms, end_ms)`;

const stretchValues = (stretches: readonly PushedStretch[]) => [
  stretches.map(({ typeId }) => typeId),
  stretches.map(({ sourceId }) => sourceId),
  stretches.map(({ startMs }) => startMs),
  stretches.map(({ endMs }) => endMs),
];

/**
 * Finds pushed samples that start in the spans: samples with an id, because files contain no ids, and samples that were
 * recorded as pushed without an id.
 */
export async function findPushedIn(
  client: pg.ClientBase,
  userKey: number,
  stretches: readonly PushedStretch[],
): Promise<PushedSample[]> {
  if (stretches.length === 0) return [];
  const { rows } = await client.query<PushedSample>(
    `select ${COLUMNS}, 0 as at from ${stretchesSql(2)}
      cross join lateral (
        select * from sample
         where user_key = $1 and type_id = given.type_id and source_id = given.source_id
           and start_at >= to_timestamp(given.start_ms / 1000) and start_at < to_timestamp(given.end_ms / 1000)
        ${ONE_LOOK_EACH}) s
      where s.slot & ${SLOT_HAS_ID_BIT} <> 0
         or ${PUSHED_WITHOUT_ID}`,
    [userKey, ...stretchValues(stretches)],
  );
  return rows;
}

/** Finds the computed samples of deleted samples. They are not pushed themselves, because the service computed them. */
export async function findComputedSamples(
  client: pg.ClientBase,
  userKey: number,
  deleted: readonly Pick<PushedSample, 'typeId' | 'sourceId' | 'startMs'>[],
): Promise<PushedSample[]> {
  const from = deleted.filter(({ typeId }) => typeId === COMPUTED_SERIES.fromTypeId);
  if (from.length === 0) return [];
  const { rows } = await client.query<PushedSample>(
    `select ${COLUMNS}, 0 as at from unnest($2::int[], $3::float8[]) as given (source_id, start_ms)
      cross join lateral (
        select * from sample
         where user_key = $1 and type_id = $4 and start_at = to_timestamp(given.start_ms / 1000)
           and source_id = given.source_id and slot = $5
        ${ONE_LOOK_EACH}) s`,
    [
      userKey,
      from.map(({ sourceId }) => sourceId),
      from.map(({ startMs }) => Math.round(startMs)),
      COMPUTED_SERIES.typeId,
      COMPUTED_SLOT,
    ],
  );
  return rows;
}

/**
 * Deletes the separate rows of items with these ids and of their parts. @param ids ids with the series of their items;
 * without a series, an id selects items of every series
 */
export async function unlistIds(
  client: pg.ClientBase,
  userKey: number,
  sourceIds: readonly number[],
  ids: readonly { key: string; typeId: number | undefined }[],
): Promise<void> {
  if (ids.length === 0) return;
  for (const column of ['id_hash', 'parent_hash']) {
    await client.query(
      `delete from pushed_sample p using unnest($3::bigint[], $4::int2[]) as given (id_hash, type_id)
        where p.user_key = $1 and p.${column} = given.id_hash and p.source_id = any ($2::int[])
          and (given.type_id is null or p.type_id = given.type_id)`,
      [userKey, sourceIds, ids.map(({ key }) => key), ids.map(({ typeId }) => typeId ?? null)],
    );
  }
}

/** Finds pushed items with an id that start in the spans. @returns the ids and their series */
export async function listedIn(
  client: pg.ClientBase,
  userKey: number,
  stretches: readonly PushedStretch[],
): Promise<{ key: string; typeId: number }[]> {
  if (stretches.length === 0) return [];
  const { rows } = await client.query<{ key: string; typeId: number }>(
    `select p.id_hash::text as key, p.type_id as "typeId" from ${stretchesSql(2)}
       join pushed_sample p on p.user_key = $1 and p.type_id = given.type_id and p.source_id = given.source_id
        and p.start_at >= to_timestamp(given.start_ms / 1000) and p.start_at < to_timestamp(given.end_ms / 1000)
     union all
     select (${ID_OF_ROW})::text, s.type_id from ${stretchesSql(2)}
       join sample s on s.user_key = $1 and s.type_id = given.type_id and s.source_id = given.source_id
        and s.start_at >= to_timestamp(given.start_ms / 1000) and s.start_at < to_timestamp(given.end_ms / 1000)
        and s.pushed is not null`,
    [userKey, ...stretchValues(stretches)],
  );
  return rows.filter(({ key }) => key !== String(WITHOUT_ID));
}

/** Does the same as {@link unlistIds} for items that start in the spans. */
export async function unlistIn(
  client: pg.ClientBase,
  userKey: number,
  stretches: readonly PushedStretch[],
): Promise<void> {
  if (stretches.length === 0) return;
  await client.query(
    `delete from pushed_sample p using ${stretchesSql(2)}
      where p.user_key = $1 and p.type_id = given.type_id and p.source_id = given.source_id
        and p.start_at >= to_timestamp(given.start_ms / 1000) and p.start_at < to_timestamp(given.end_ms / 1000)`,
    [userKey, ...stretchValues(stretches)],
  );
}

/** Key of a separate row, without the user. Hashes and times are text, because numbers would lose digits. */
export interface PushedKey {
  id_hash: string;
  type_id: number;
  start_at: string;
  source_id: number;
  slot: number;
  device: number;
}

const KEY_COLUMNS = 'id_hash, type_id, start_at, source_id, slot, device';

/**
 * Deletes at most `limit` separate rows of old samples that were archived or deleted, in the order of their keys. Covers
 * all series and sources unless `typeIds` or `sourceIds` limit them. Each call continues after the previous call's key.
 * The key starts with a hash, so a search from the start would read all newer rows again.
 * @returns the key after which to continue; undefined if no more rows follow
 */
export async function unlistSomeBefore(
  client: pg.ClientBase,
  userKey: number,
  beforeMs: number,
  {
    typeIds,
    sourceIds,
    after,
    limit,
  }: {
    typeIds?: readonly number[];
    sourceIds?: readonly number[] | undefined;
    after: PushedKey | undefined;
    limit: number;
  },
): Promise<PushedKey | undefined> {
  const key = after && [after.id_hash, after.type_id, after.start_at, after.source_id, after.slot, after.device];
  const isLater = `and (${KEY_COLUMNS}) > ($6::bigint, $7::int2, $8::timestamptz, $9::int, $10::int, $11::int2)`;
  const { rows } = await client.query<PushedKey>(
    `with old as materialized (
       select ctid as place, ${KEY_COLUMNS} from pushed_sample
        where user_key = $1 and start_at < to_timestamp($2::float8 / 1000)
          and ($3::int2[] is null or type_id = any ($3)) and ($4::int[] is null or source_id = any ($4))
          ${key ? isLater : ''}
        order by ${KEY_COLUMNS} limit $5
     ), removed as (
       delete from pushed_sample where ctid = any (array(select place from old))
     )
     select id_hash::text, type_id, start_at::text, source_id, slot, device from old
      order by old.id_hash, old.type_id, old.start_at, old.source_id, old.slot, old.device offset $5 - 1`,
    [userKey, beforeMs, typeIds ?? null, sourceIds ?? null, limit, ...(key ?? [])],
  );
  return rows[0];
}

/** Moves the separate rows of pushed items from an alias to its named source. */
export async function movePushedSamples(
  client: pg.ClientBase,
  userKey: number,
  fromId: number,
  toId: number,
): Promise<void> {
  await client.query(
    `with moved as (delete from pushed_sample where user_key = $1 and source_id = $2 returning *)
     insert into pushed_sample (user_key, device, id_hash, parent_hash, start_at, source_id, slot, type_id)
     select user_key, device, id_hash, parent_hash, start_at, $3, slot, type_id from moved on conflict do nothing`,
    [userKey, fromId, toId],
  );
}

/** Returns the id part of a row's slot; -1 without an id. */
export function knownIdOf(slot: number): string {
  const hash = hashOfSlot(slot);
  return String(hash === NO_ID ? WITHOUT_ID : hash);
}
