import { dayNumber, seriesTypeById } from '@healthd/model';
import { type DigestItem, ROW_KINDS, type UserDigest } from '@healthd/schemas';
import type pg from 'pg';
import { inTransaction, repeatOnCollision, UserMissingError } from '../platform/database/index.js';
import { itemDate } from '../store/facts/index.js';
import type { Vault } from '../vault/index.js';
import { type DigestKey, digestKeyOf } from './digest-key.js';
import { readPosition } from './read-changes.js';
import {
  CANONICAL_ROW,
  DAY_REACH,
  ITEM_KINDS,
  ITEM_SOURCES,
  itemColumns,
  itemsBetween,
  JOIN_OFFSET,
  JOIN_SOURCE,
  SAMPLE_COLUMNS,
  TYPE_CODES,
  TYPE_IDS,
} from './row-sql.js';

/** Maximum number of consecutive days that one statement reads. It bounds the duration of a transaction. */
const DAYS_AT_ONCE = 16;

/** Digests of the rows of one day, kind, type and provider. */
interface StoredDigest {
  kind: DigestItem['kind'];
  type: string | null;
  provider: string;
  rows: number;
  digest: string;
}

export interface DigestRange {
  /** Local dates, both included. */
  from: string;
  to: string;
}

/**
 * Returns the digests of a user's data. Computes the digests of days that have changed since the last request,
 * according to the feed. Postgres does the computation, so that the rows never reach the main thread.
 * @throws UserMissingError, and as {@link readPosition}
 */
export async function readDigest(
  pool: pg.Pool,
  vault: Vault,
  user: { id: string; userKey: number },
  { from, to }: DigestRange,
  signal?: AbortSignal,
): Promise<UserDigest> {
  await readPosition(pool, user.userKey);
  const key = await digestKeyOf(pool, vault, user);
  for (;;) {
    signal?.throwIfAborted();
    // Each transaction reads data and position from one snapshot. Repeats until no day of the range is missing.
    // Also repeats a transaction after a collision with a concurrent request for the same user's digests.
    const found = await repeatOnCollision(() =>
      inTransaction(pool, async (client) => {
        await client.query('set transaction isolation level repeatable read');
        const position = await forgetChangedDays(client, user.userKey);
        const isComplete = await computeDays(client, user.userKey, key, from, to);
        return isComplete ? { position, ...(await storedDigests(client, user.userKey, from, to)) } : undefined;
      }),
    );
    if (found) return { user_id: user.id, key_id: key.id, ...found };
  }
}

/**
 * Deletes the digests of days that have changed since the last call. Deletes all digests if the feed no longer contains
 * these changes.
 * @returns the user's position
 */
async function forgetChangedDays(client: pg.ClientBase, userKey: number): Promise<number> {
  const { rows } = await client.query<{ known: number; position: number; oldest: number | null }>(
    `select own.position as known, coalesce((select position from user_state where user_key = $1), 0) as position,
            (select min(number) from change where user_key = $1 and is_data) as oldest
       from user_digest own where user_key = $1 for update of own`,
    [userKey],
  );
  const state = rows[0];
  if (!state) throw new UserMissingError();
  const { known, position, oldest } = state;
  if (known === position) return position;
  if (position < known || oldest === null || oldest > known + 1) {
    await client.query('delete from day_digest where user_key = $1', [userKey]);
  } else {
    await client.query(
      `delete from day_digest d using (
         select distinct (days ->> 'from')::date as first_day, (days ->> 'to')::date as last_day
           from change c, jsonb_array_elements(c.body -> 'days') as days
          where c.user_key = $1 and c.is_data and c.number > $2 and c.kind <> 'summary') changed
        where d.user_key = $1 and d.local_date between changed.first_day and changed.last_day`,
      [userKey, known],
    );
  }
  await client.query('update user_digest set position = $2 where user_key = $1', [userKey, position]);
  return position;
}

/**
 * Computes the first missing digests of a range, within {@link DAYS_AT_ONCE} consecutive days.
 * @returns true if no day with data is missing
 */
async function computeDays(
  client: pg.ClientBase,
  userKey: number,
  key: DigestKey,
  from: string,
  to: string,
): Promise<boolean> {
  const { rows } = await client.query<{ day: string }>(MISSING_DAYS, [userKey, from, to]);
  const [first] = rows;
  if (!first) return true;
  // A concurrent computation waits for this row, fails with a collision and runs again, so that it sees these digests.
  await client.query('update user_digest set position = position where user_key = $1', [userKey]);
  // Limits the range of days: the statement reads all samples of the range, and missing days may lie months apart.
  const end = (dayNumber(first.day) as number) + DAYS_AT_ONCE;
  const days = rows.map(({ day }) => day).filter((day) => (dayNumber(day) as number) < end);
  await client.query(COMPUTE, [
    userKey,
    days,
    days[0],
    days.at(-1),
    TYPE_IDS,
    TYPE_CODES,
    hmacBlock(key, 0x36),
    hmacBlock(key, 0x5c),
  ]);
  return days.length === rows.length;
}

/**
 * Days of a range that may have rows and have no digests. Only these days get rows in `day_digest`, so that requests
 * for long empty ranges store nothing. Includes the neighbors of each day, because a new time zone changes the days of
 * the rows first and the days of the daily values later.
 */
const MISSING_DAYS = `
with filled as (
  select local_date from day_value where user_key = $1 and local_date between $2::date - 1 and $3::date + 1
  ${ITEM_KINDS.map((kind) => {
    const { table } = ITEM_SOURCES[kind];
    return `union select ${itemDate(table)} from ${table} s
    where s.user_key = $1 and ${itemsBetween(kind, '($2::date - 1)', '($3::date + 1)')}`;
  }).join('\n  ')}
)
select distinct local_date + near as day from filled cross join generate_series(-1, 1) as near
 where local_date + near between $2::date and $3::date
   and not exists (select from day_digest d where d.user_key = $1 and d.local_date = filled.local_date + near)
 order by day limit ${DAYS_AT_ONCE + 1}`;

/** Returns the key as an HMAC-SHA-256 block of 64 bytes, combined with `pad`. */
function hmacBlock({ bytes }: DigestKey, pad: number): Buffer {
  const block = Buffer.alloc(64, pad);
  for (const [at, byte] of bytes.entries()) block[at] = byte ^ pad;
  return block;
}

/** Parameters: user, days, first day, last day, series numbers and codes, the two blocks of HMAC. */
const COMPUTE = `
with listed as (
  select 'samples' as kind, ${SAMPLE_COLUMNS}
    from unnest($5::int2[], $6::text[]) as t (type_id, code)
   cross join lateral (
     select * from sample where user_key = $1 and type_id = t.type_id
        and start_at >= $3::date - ${DAY_REACH} and start_at < $4::date + ${DAY_REACH} * 2 offset 0) s
    ${JOIN_SOURCE} ${JOIN_OFFSET}
  ${ITEM_KINDS.map(
    (kind) => `union all select '${kind}' as kind, ${itemColumns(kind)}
    from ${ITEM_SOURCES[kind].table} s ${JOIN_SOURCE}
   where s.user_key = $1 and ${itemsBetween(kind, '$3', '$4')}`,
  ).join('\n  ')}
), canonical as (
  select day, kind, case when kind = 'samples' then type end as type, provider, ${CANONICAL_ROW} as bytes
    from listed where day = any ($2::date[])
), digested as (
  select day, kind, type, provider, count(*) as row_count,
         sha256($8::bytea || sha256($7::bytea || string_agg(int4send(length(bytes)) || bytes, ''::bytea order by bytes))) as value
    from canonical group by day, kind, type, provider
)
insert into day_digest (user_key, local_date, digests)
select $1, wanted.day, coalesce((
         select jsonb_agg(jsonb_build_object('kind', kind, 'type', type, 'provider', provider, 'rows', row_count,
                                             'digest', encode(value, 'hex')))
           from digested where digested.day = wanted.day), '[]')
  from unnest($2::date[]) as wanted (day)`;

async function storedDigests(client: pg.ClientBase, userKey: number, from: string, to: string) {
  const { rows } = await client.query<{ day: string; digests: StoredDigest[] }>(
    `select local_date as day, digests from day_digest
      where user_key = $1 and local_date between $2 and $3 order by local_date`,
    [userKey, from, to],
  );
  const archived = await client.query<{ day: string; type_id: number; provider: string }>(
    `select distinct s.local_date as day, s.type_id, d.provider
       from day_archive s join data_source d using (user_key, source_id)
      where s.user_key = $1 and s.type_id = any ($4::int2[]) and s.local_date between $2 and $3`,
    [userKey, from, to, TYPE_IDS],
  );
  const ends = await client.query<{ type_id: number; before: string }>(
    'select type_id, before from expired_series where user_key = $1 order by type_id',
    [userKey],
  );
  const expired = ends.rows.map(({ type_id, before }) => ({ type: codeOf(type_id), before }));
  const endOf = new Map(expired.map(({ type, before }) => [type, before]));
  const items = new Map<string, DigestItem>();
  for (const { day, digests } of rows) {
    for (const { kind, type, provider, rows: count, digest } of digests) {
      const isExpired = kind === 'samples' && day < (endOf.get(type ?? '') ?? '');
      const item: DigestItem = isExpired
        ? { day, kind, type, provider, state: 'expired', rows: null, digest: null }
        : { day, kind, type, provider, state: 'current', rows: count, digest };
      items.set(keyOf(item), item);
    }
  }
  for (const { day, type_id, provider } of archived.rows) {
    const item = { day, kind: 'samples', type: codeOf(type_id), provider } as const;
    items.set(keyOf(item), { ...item, state: 'archived', rows: null, digest: null });
  }
  const keys = [...items.keys()].sort();
  return { stored: await storedDays(client, userKey), items: keys.map((key) => items.get(key) as DigestItem), expired };
}

/** Returns the sort key of an entry. */
function keyOf({ day, kind, type, provider }: Pick<DigestItem, 'day' | 'kind' | 'type' | 'provider'>): string {
  return `${day} ${ROW_KINDS.indexOf(kind)} ${type ?? ''} ${provider}`;
}

function codeOf(typeId: number): string {
  return seriesTypeById(typeId)?.code ?? String(typeId);
}

/**
 * Returns the first and last local date with data; null if there is no data. Finds the days of samples by their daily
 * values.
 */
async function storedDays(client: pg.ClientBase, userKey: number): Promise<UserDigest['stored']> {
  const parts = [
    'select min(local_date) as first, max(local_date) as last from day_value where user_key = $1',
    ...ITEM_KINDS.map((kind) => {
      const { table } = ITEM_SOURCES[kind];
      const date = itemDate(table);
      return `select min(${date}), max(${date}) from ${table} s where s.user_key = $1`;
    }),
  ];
  const { rows } = await client.query<{ first: string | null; last: string | null }>(
    `select min(first)::date as first, max(last)::date as last from (${parts.join(' union all ')}) parts`,
    [userKey],
  );
  const { first, last } = rows[0] ?? {};
  return first && last ? { from: first, to: last } : null;
}
