import { fromDayNumber, MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';
import type pg from 'pg';
import { sampleKind, statement } from '../../platform/database/index.js';
import { FALLBACK_ZONE } from '../../store/facts/index.js';
import { type InstantBounds, sqlInstant } from '../bounds.js';
import { nearestOffset } from '../nearest-offset.js';

/** Minimum and maximum offset of samples near both edges of a range, including UTC. */
export interface EdgeOffsets {
  head_min: number;
  head_max: number;
  tail_min: number;
  tail_max: number;
}

/** Number of days around an edge whose offsets may place a sample near it. */
const MARGIN = 4;

/** Returns SQL for the observed or assumed offsets of samples near a date. */
function offsetsNear(date: string): string {
  const [from, to] = [`(${date}::date - ${MARGIN})`, `(${date}::date + ${MARGIN})`];
  return `
    select unnest(array[offset_minutes, zone_offset_minutes(zone, ${from}), zone_offset_minutes(zone, ${to})]) as minutes
      from offset_day where user_key = $1
       and utc_date >= coalesce((select max(utc_date) from offset_day where user_key = $1 and utc_date < ${from}), ${from})
       and utc_date <= coalesce((select min(utc_date) from offset_day where user_key = $1 and utc_date > ${to}), ${to})
    union all
    select zone_offset_minutes(${FALLBACK_ZONE}, at) from unnest(array[${from}, ${to}]::timestamptz[]) as near (at)`;
}

/** Returns SQL for one row of {@link EdgeOffsets}. @param first SQL of the first date of the range in UTC, or null */
export function edgeOffsets(first: string, last: string): string {
  return `
    select least(0, min(minutes) filter (where is_head)) as head_min,
      greatest(0, max(minutes) filter (where is_head)) as head_max,
      least(0, min(minutes) filter (where not is_head)) as tail_min,
      greatest(0, max(minutes) filter (where not is_head)) as tail_max
    from (
      select minutes, true as is_head from (${offsetsNear(first)}) head
      union all
      select minutes, false from (${offsetsNear(last)}) tail
    ) seen`;
}

/**
 * Condition for samples that the offset timeline places. A daily total at exactly midnight UTC without an offset is a date.
 */
const PLACED_BY_TIMELINE = `s.offset_minutes is null
  and not (${sampleKind('s.')} = 1 and date_trunc('day', s.start_at, 'UTC') = s.start_at)`;
const localDateSql = (offset: string) => `((s.start_at at time zone 'UTC') + ${offset} * interval '1 minute')::date`;

/**
 * Returns SQL for the samples of an edge by primary key, with their local dates. Counts samples that need the offset
 * timeline separately, because its join would make all other samples ten times as slow.
 */
function edge(from: string, before: string, condition: string): string {
  const selected = `s.user_key = $1 and s.type_id = any ($2::int2[])
      and s.start_at >= ${from}::timestamptz and s.start_at < ${before}::timestamptz
      and ($3::int4[] is null or s.source_id = any ($3::int4[]))`;
  return `(
    select count(*) from sample s
    where ${selected} and not (${PLACED_BY_TIMELINE}) and ${localDateSql('coalesce(s.offset_minutes, 0)')} ${condition}
  ) + (
    select count(*) from sample s
    left join lateral (${nearestOffset('s.start_at', 'true')}) near on true
    where ${selected} and ${PLACED_BY_TIMELINE} and ${localDateSql('coalesce(near.offset_minutes, 0)')} ${condition}
  )`;
}

/**
 * Counts the samples of a range: whole local days from roll-ups minus archived samples, and both edges by index.
 * Parameters: user, types, source ids or null, first inner date, date after the last inner one, range start, end of the
 * head, start of the tail, range end.
 */
const countByRollup = statement(
  'timeseries_count_rollup',
  `select (
     select coalesce(sum(sample_count + total_count + aggregate_count), 0)::int8 from day_value
     where user_key = $1 and type_id = any ($2::int2[]) and local_date >= $4::date and local_date < $5::date
       and ($3::int4[] is null or source_id = any ($3::int4[]))
   ) - (
     select coalesce(sum(sample_count), 0)::int8 from day_archive
     where user_key = $1 and type_id = any ($2::int2[]) and local_date >= $4::date and local_date < $5::date
       and ($3::int4[] is null or source_id = any ($3::int4[]))
   ) + ${edge('$6', '$7', '< $4::date')} + ${edge('$8', '$9', '>= $5::date')} as count`,
);

/** Counts the samples of ranges without a whole local day. Parameters: user, types, source ids or null, from, before. */
const countByIndex = statement(
  'timeseries_count_index',
  `select count(*) as count from sample s
   where s.user_key = $1 and s.type_id = any ($2::int2[])
     and s.start_at >= $4::timestamptz and s.start_at < $5::timestamptz
     and ($3::int4[] is null or s.source_id = any ($3::int4[]))`,
);

/** Selected samples. If `sourceIds` is undefined, samples of all sources. */
export interface SampleSelection {
  typeIds: readonly number[];
  sourceIds: readonly number[] | undefined;
  bounds: InstantBounds;
}

/** Returns the number of samples of a list; null without the offsets of its edges, because only the first page contains it. */
export async function countOf(
  pool: pg.Pool,
  userKey: number,
  selection: SampleSelection,
  edges: EdgeOffsets | undefined,
): Promise<number | null> {
  return edges ? countSamples(pool, userKey, selection, edges) : null;
}

/** Counts the selected samples exactly. The cost depends on days and the two edges, not on samples. */
export async function countSamples(
  pool: pg.Pool,
  userKey: number,
  selection: SampleSelection,
  edges: EdgeOffsets,
): Promise<number> {
  const { typeIds, bounds } = selection;
  const sourceIds = selection.sourceIds ?? null;
  const inner = innerDays(bounds, edges);
  const query = inner
    ? countByRollup([
        userKey,
        typeIds,
        sourceIds,
        fromDayNumber(inner.firstDay),
        fromDayNumber(inner.beforeDay),
        sqlInstant(bounds.fromMs),
        sqlInstant(Math.min(inner.headBeforeMs, bounds.beforeMs)),
        sqlInstant(Math.max(inner.tailFromMs, bounds.fromMs)),
        sqlInstant(bounds.beforeMs),
      ])
    : countByIndex([userKey, typeIds, sourceIds, sqlInstant(bounds.fromMs), sqlInstant(bounds.beforeMs)]);
  const { rows } = await pool.query<{ count: number }>(query);
  return rows[0]?.count ?? 0;
}

/**
 * Returns the local days that are completely in the range for every possible offset, and how far samples of other local
 * days reach into the range at both edges; undefined without such a day.
 */
function innerDays({ fromMs, beforeMs }: InstantBounds, offsets: EdgeOffsets) {
  if (beforeMs - fromMs < 2 * MS_PER_DAY) return undefined;
  const firstDay = Math.ceil((fromMs + offsets.head_max * MS_PER_MINUTE) / MS_PER_DAY);
  const beforeDay = Math.floor((beforeMs + offsets.tail_min * MS_PER_MINUTE) / MS_PER_DAY);
  if (beforeDay <= firstDay) return undefined;
  return {
    firstDay,
    beforeDay,
    headBeforeMs: firstDay * MS_PER_DAY - offsets.head_min * MS_PER_MINUTE,
    tailFromMs: beforeDay * MS_PER_DAY - offsets.tail_max * MS_PER_MINUTE,
  };
}
