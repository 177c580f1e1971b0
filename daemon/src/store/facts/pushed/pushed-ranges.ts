import type { ProviderId } from '@healthd/model';
import type pg from 'pg';
import type { PushedStretch } from './pushed-samples.js';

/** Maximum number of ranges per user. Older ranges are dropped, so a very old batch may store their items again. */
const MAX_RANGES = 10_000;

/** Stores the ranges that a push deleted, so that a retry of an older push does not store their items again. */
export async function recordDeletedRanges(
  client: pg.ClientBase,
  userKey: number,
  { provider, receivedAtMs }: { provider: ProviderId; receivedAtMs: number },
  ranges: readonly PushedStretch[],
): Promise<void> {
  if (ranges.length === 0) return;
  await client.query(
    `insert into pushed_range as stored (user_key, provider, source_id, type_id, start_at, end_at, received_at)
     select $1, $2, source_id, type_id, to_timestamp(start_ms / 1000), to_timestamp(end_ms / 1000), to_timestamp($3::float8 / 1000)
       from unnest($4::int[], $5::int2[], $6::float8[], $7::float8[]) as given (source_id, type_id, start_ms, end_ms)
     on conflict (user_key, provider, source_id, type_id, start_at, end_at)
     do update set received_at = greatest(stored.received_at, excluded.received_at)`,
    [
      userKey,
      provider,
      receivedAtMs,
      ranges.map(({ sourceId }) => sourceId),
      ranges.map(({ typeId }) => typeId),
      ranges.map(({ startMs }) => startMs),
      ranges.map(({ endMs }) => endMs),
    ],
  );
  await client.query(
    `delete from pushed_range where user_key = $1 and received_at < (
       select received_at from pushed_range where user_key = $1 order by received_at desc offset ${MAX_RANGES - 1} limit 1)`,
    [userKey],
  );
}

/** Returns the ranges that the provider's pushes deleted, for pushes that the service received after a time. */
export async function rangesDeletedSince(
  client: pg.ClientBase,
  userKey: number,
  { provider, receivedAtMs }: { provider: ProviderId; receivedAtMs: number },
): Promise<PushedStretch[]> {
  const { rows } = await client.query<PushedStretch>(
    `select source_id as "sourceId", type_id as "typeId", extract(epoch from start_at)::float8 * 1000 as "startMs",
            extract(epoch from end_at)::float8 * 1000 as "endMs"
       from pushed_range where user_key = $1 and provider = $2 and received_at > to_timestamp($3::float8 / 1000)
      order by received_at desc limit ${MAX_RANGES}`,
    [userKey, provider, receivedAtMs],
  );
  return rows;
}

/** Moves the deleted ranges from an alias to its named source. */
export async function moveDeletedRanges(
  client: pg.ClientBase,
  userKey: number,
  fromId: number,
  toId: number,
): Promise<void> {
  await client.query(
    `with moved as (delete from pushed_range where user_key = $1 and source_id = $2 returning *)
     insert into pushed_range as stored (user_key, provider, source_id, type_id, start_at, end_at, received_at)
     select user_key, provider, $3, type_id, start_at, end_at, received_at from moved
     on conflict (user_key, provider, source_id, type_id, start_at, end_at)
     do update set received_at = greatest(stored.received_at, excluded.received_at)`,
    [userKey, fromId, toId],
  );
}
