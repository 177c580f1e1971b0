import { statement } from '../../platform/database/index.js';

/** One sample; `start_ms` in epoch milliseconds, because a page may hold ten thousand. */
export interface RawRow {
  start_ms: number;
  type_id: number;
  source_id: number;
  slot: number;
  value: number;
  offset_minutes: number | null;
}

/**
 * One page of samples of several series. Every type is one walk along the primary key
 * (user_key, type_id, start_at, source_id, slot) that ends after a page, so the cost is that of
 * types × page regardless of the range; the caller narrows the range to the cursor's instant, the row comparison settles
 * ties there. With 4.7 million samples of one user on two shared cores, count included: 100 of a year
 * in 5 ms, 10,000 in 33 ms.
 * Parameters: user, types, from, before, source ids or null, position (instant, type, source, slot) or
 * nulls, limit + 1.
 */
function rawPage(name: string, after: '>' | '<', order: 'asc' | 'desc') {
  return statement(
    name,
    `select round(date_part('epoch', page.start_at) * 1000) as start_ms, page.type_id, page.source_id, page.slot,
       page.value, page.offset_minutes
     from unnest($2::int2[]) as wanted(type_id)
     cross join lateral (
       select s.start_at, s.type_id, s.source_id, s.slot, s.value, s.offset_minutes
       from sample s
       where s.user_key = $1 and s.type_id = wanted.type_id
         and s.start_at >= $3::timestamptz and s.start_at < $4::timestamptz
         and ($5::int4[] is null or s.source_id = any ($5::int4[]))
         and ($6::timestamptz is null or (s.start_at, s.type_id, s.source_id, s.slot)
           ${after} ($6::timestamptz, $7::int2, $8::int4, $9::int4))
       order by s.start_at ${order}, s.source_id ${order}, s.slot ${order}
       limit $10
     ) page
     order by page.start_at ${order}, page.type_id ${order}, page.source_id ${order}, page.slot ${order}
     limit $10`,
  );
}

export const rawPageForward = rawPage('timeseries_raw_forward', '>', 'asc');
export const rawPageBackward = rawPage('timeseries_raw_backward', '<', 'desc');
