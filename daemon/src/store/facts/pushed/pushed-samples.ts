import { hashOfSlot, NO_ID, type ProviderId, SLOT_HAS_ID_BIT, SLOT_HASH_BITS } from '@healthd/model';
import type pg from 'pg';
import { copyInto, isUniqueViolation, ONE_LOOK_EACH, type QueryPart } from '../../../platform/database/index.js';
import { NO_PARENT, type PushedItems, type PushedList, WITHOUT_ID } from './pushed-items.js';

/** SQL that selects a row where a sample `s` without an id was pushed. The first parameter is the user. */
export const PUSHED_WITHOUT_ID = `select from pushed_sample p
  where p.user_key = $1 and p.id_hash = ${WITHOUT_ID} and p.type_id = s.type_id and p.start_at = s.start_at
    and p.source_id = s.source_id and p.slot = s.slot ${ONE_LOOK_EACH}`;

/** Phones of a user that are told apart by their names; those above it are one phone without a name. */
const MAX_DEVICES = 50;

/** A phone of a user that has pushed, and its number. */
export interface PushDevice {
  device: number;
  provider: string;
  name: string;
}

export const PUSH_DEVICES: QueryPart<PushDevice, PushDevice[]> = {
  sql: 'select device, provider, name from push_device where user_key = $1',
  read: (rows) => rows,
};

/**
 * Finds or makes the number of a phone. The user's row must be locked.
 * @param devices phones of the user; a new one is added
 */
export async function pushDeviceOf(
  client: pg.ClientBase,
  userKey: number,
  devices: PushDevice[],
  { provider, device: name }: { provider: ProviderId; device: string },
): Promise<number> {
  const find = (wanted: string) => devices.find((row) => row.provider === provider && row.name === wanted)?.device;
  const isFull = devices.filter((row) => row.provider === provider).length >= MAX_DEVICES;
  const used = isFull ? '' : name;
  const known = find(name) ?? find(used);
  if (known !== undefined) return known;
  const device = devices.reduce((most, row) => Math.max(most, row.device), -1) + 1;
  await client.query('insert into push_device (user_key, device, provider, name) values ($1, $2, $3, $4)', [
    userKey,
    device,
    provider,
    used,
  ]);
  devices.push({ device, provider, name: used });
  return device;
}

/** Stores which items a phone pushed, and under which ids. A row that kept another item's id stays that item's. */
export async function listPushed(
  client: pg.ClientBase,
  userKey: number,
  device: number,
  { inserted, stored, records }: PushedList,
): Promise<void> {
  if (!(await copyListed(client, userKey, device, inserted))) await insertListed(client, userKey, device, inserted);
  await insertListed(client, userKey, device, stored);
  await insertListed(client, userKey, device, records);
}

/**
 * Lists items by COPY, which takes half the time of an insert that allows for conflicts.
 * @returns false if one of them is still listed: its sample was removed since, and is stored again
 */
async function copyListed(
  client: pg.ClientBase,
  userKey: number,
  device: number,
  items: PushedItems,
): Promise<boolean> {
  if (items.length === 0) return true;
  await client.query('savepoint listing');
  try {
    await copyInto(client, 'pushed_sample', [
      {
        length: items.length,
        columns: [
          { name: 'user_key', type: 'int8', values: userKey },
          { name: 'device', type: 'int2', values: device },
          { name: 'id_hash', type: 'int8', values: items.id },
          { name: 'parent_hash', type: 'int8', values: items.parent, absent: NO_PARENT },
          { name: 'start_at', type: 'timestamptz', values: items.startMs },
          { name: 'source_id', type: 'int4', values: items.sourceId },
          { name: 'slot', type: 'int4', values: items.slot },
          { name: 'type_id', type: 'int2', values: items.typeId },
        ],
      },
    ]);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await client.query('rollback to savepoint listing');
    return false;
  }
  await client.query('release savepoint listing');
  return true;
}

/** Keeps one statement short, so that its parameters are made within one turn of the event loop. */
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
           select $1, $2, id_hash, parent_hash, to_timestamp(start_ms / 1000), source_id, slot, type_id
             from unnest($3::bigint[], $4::bigint[], $5::float8[], $6::int[], $7::int[], $8::int2[])
                  as given (id_hash, parent_hash, start_ms, source_id, slot, type_id)
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

/** A stored sample that a phone pushed. */
export interface PushedSample {
  typeId: number;
  sourceId: number;
  slot: number;
  startMs: number;
  durationMs: number | null;
  offsetMinutes: number | null;
  value: number;
  /** Of the deletions that mean it, the position of one. */
  at: number;
}

const COLUMNS = `s.type_id as "typeId", s.source_id as "sourceId", s.slot, s.value, s.duration_ms as "durationMs",
  s.offset_minutes as "offsetMinutes", extract(epoch from s.start_at)::float8 * 1000 as "startMs"`;

/** Samples that were pushed under one of the ids, or as parts of it. @param ids as `pushedIdKey` gives them */
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
        ${ONE_LOOK_EACH}) s`,
    [userKey, sourceIds, ids],
  );
  return rows;
}

/**
 * Samples with one of the ids that were pushed before whole ids were kept. Their rows know 28 bits of it, so a row that is
 * listed under another id is left alone.
 * @param hashes as `hashOfId` gives them
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
      where (s.type_id, s.start_at, s.source_id, s.slot) not in (
              select type_id, start_at, source_id, slot from pushed_sample where user_key = $1)`,
    [userKey, sourceIds, hashes],
  );
  return rows;
}

/** A stretch of one series of one source; the end is excluded. Stretches of a source and series must not overlap. */
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

/** Pushed samples that begin in the stretches: files carry no ids, so those with an id, and those that are listed without one. */
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
         or exists (${PUSHED_WITHOUT_ID})`,
    [userKey, ...stretchValues(stretches)],
  );
  return rows;
}

/** Forgets what was pushed under the ids, or as parts of them. @param ids with the series that is meant, or any */
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

/** Finds what was pushed and begins in the stretches. @returns the ids and their series */
export async function listedIn(
  client: pg.ClientBase,
  userKey: number,
  stretches: readonly PushedStretch[],
): Promise<{ key: string; typeId: number }[]> {
  if (stretches.length === 0) return [];
  const { rows } = await client.query<{ key: string; typeId: number }>(
    `select p.id_hash::text as key, p.type_id as "typeId" from ${stretchesSql(2)}
       join pushed_sample p on p.user_key = $1 and p.type_id = given.type_id and p.source_id = given.source_id
        and p.start_at >= to_timestamp(given.start_ms / 1000) and p.start_at < to_timestamp(given.end_ms / 1000)`,
    [userKey, ...stretchValues(stretches)],
  );
  return rows.filter(({ key }) => key !== String(WITHOUT_ID));
}

/** Does the same as {@link unlistIds} for what begins in the stretches. */
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

/** Forgets the ids of samples that archival has turned into minutes, or removed: of some series and sources, or of all. */
export async function unlistBefore(
  client: pg.ClientBase,
  userKey: number,
  beforeMs: number,
  { typeIds, sourceIds }: { typeIds?: readonly number[]; sourceIds?: readonly number[] | undefined } = {},
): Promise<void> {
  await client.query(
    `delete from pushed_sample
      where user_key = $1 and start_at < to_timestamp($2::float8 / 1000)
        and ($3::int2[] is null or type_id = any ($3)) and ($4::int[] is null or source_id = any ($4))`,
    [userKey, beforeMs, typeIds ?? null, sourceIds ?? null],
  );
}

/** Moves what was pushed under one source to another one that it turned out to be. */
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

/** The part of a row's slot that says which id it has; -1 without one. */
export function knownIdOf(slot: number): string {
  const hash = hashOfSlot(slot);
  return String(hash === NO_ID ? WITHOUT_ID : hash);
}
