import { MS_PER_HOUR, MS_PER_SECOND } from '@healthd/model';
import type { AwaitedItem, ReadWindow, TimeRange } from '@healthd/providers';
import type pg from 'pg';

/** First delay. Each further delay is three times as long. */
const FIRST_WAIT_MS = MS_PER_HOUR;
const GROWTH = 3;
/** Maximum number of requests for one item. With these delays, the service reaches this number after five days. */
const MAX_REQUESTS = 6;
/**
 * Maximum age of an item when it is first missed. An older item is not awaited, because the vendor no longer has it.
 */
const AWAITED_DAYS = 5;
/**
 * Maximum number of awaited items per run. Each item costs at least one request, and a run has other requests to send.
 */
const PER_RUN = 6;

/** Awaited items with the same time range. */
export interface DueItems extends TimeRange {
  dataType: string;
  items: readonly string[];
}

/** Returns the items that are due for another request, longest-waiting first. */
export async function dueItems(client: pg.ClientBase, connectionId: string, now: Date): Promise<DueItems[]> {
  const { rows } = await client.query<{ data_type: string; at_ms: number; items: string[] }>(
    `select data_type, extract(epoch from item_at)::float8 * 1000 as at_ms, array_agg(item_id order by item_id) as items
       from (select data_type, item_at, item_id, next_at from awaited_item
              where connection_id = $1 and next_at <= $2 order by next_at, item_id limit $3) due
      group by data_type, item_at order by min(next_at)`,
    [connectionId, now, PER_RUN],
  );
  return rows.map(({ data_type: dataType, at_ms, items }) => {
    const startMs = Math.round(at_ms);
    return { dataType, startMs, endMs: startMs + 1, items };
  });
}

/** Outcome of awaited items. */
export interface AwaitedOutcome {
  /** Number of items that are requested again later. */
  waiting: number;
  /** Number of items that the vendor withheld for days and that are not requested again. */
  abandoned: number;
}

/**
 * Records the items of a window that the vendor has not returned yet, and stops awaiting the window's other items. A
 * request before an item was due does not count.
 * @param awaited the items of the read window that are missing
 */
export async function recordAwaitedItems(
  client: pg.ClientBase,
  { connectionId, dataType }: { connectionId: string; dataType: string },
  { startMs, endMs, doneItem, items }: ReadWindow,
  awaited: readonly AwaitedItem[],
  now: Date,
): Promise<AwaitedOutcome> {
  const ids = awaited.map(({ itemId }) => itemId);
  await client.query(
    `delete from awaited_item
      where connection_id = $1 and data_type = $2 and item_id <> all ($3::text[])
        and item_at >= to_timestamp($4::float8 / 1000) and item_at < to_timestamp($5::float8 / 1000)
        and ($6::text[] is null or item_id = any ($6))
        -- Items of the last millisecond up to doneItem were read in an earlier window.
        and ($7::text is null or item_at < to_timestamp(($5::float8 - 1) / 1000) or item_id > $7 collate "C")`,
    [connectionId, dataType, ids, startMs, endMs, items ?? null, doneItem ?? null],
  );
  if (awaited.length === 0) return { waiting: 0, abandoned: 0 };
  await client.query(
    `insert into awaited_item as a (connection_id, data_type, item_id, item_at, requests, next_at)
     select $1, $2, item_id, to_timestamp(at_ms / 1000), 1, $5::timestamptz + make_interval(secs => $6)
       from unnest($3::text[], $4::float8[]) as awaited (item_id, at_ms)
      where to_timestamp(at_ms / 1000) > $5::timestamptz - make_interval(days => $8)
         or exists (select from awaited_item k where k.connection_id = $1 and k.data_type = $2 and k.item_id = awaited.item_id)
     on conflict (connection_id, data_type, item_id) do update
        set item_at = excluded.item_at,
            requests = case when a.item_at = excluded.item_at then a.requests + 1 else 1 end,
            next_at = case when a.item_at = excluded.item_at
                           then $5::timestamptz + make_interval(secs => $6 * $7 ^ a.requests)
                           else excluded.next_at end
      where a.next_at <= $5 or a.item_at <> excluded.item_at`,
    [
      connectionId,
      dataType,
      ids,
      awaited.map(({ atMs }) => atMs),
      now,
      FIRST_WAIT_MS / MS_PER_SECOND,
      GROWTH,
      AWAITED_DAYS,
    ],
  );
  const { rows } = await client.query<{ requests: number }>(
    `select requests from awaited_item where connection_id = $1 and data_type = $2 and item_id = any ($3::text[])`,
    [connectionId, dataType, ids],
  );
  const abandoned = rows.filter(({ requests }) => requests >= MAX_REQUESTS).length;
  if (abandoned > 0) {
    await client.query(
      `delete from awaited_item
        where connection_id = $1 and data_type = $2 and item_id = any ($3::text[]) and requests >= $4`,
      [connectionId, dataType, ids, MAX_REQUESTS],
    );
  }
  return { waiting: rows.length - abandoned, abandoned };
}

/** Deletes a connection's awaited items. Call after its vendor account has changed. */
export async function forgetAwaited(client: pg.ClientBase, connectionId: string): Promise<void> {
  await client.query('delete from awaited_item where connection_id = $1', [connectionId]);
}
