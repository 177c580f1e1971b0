import { fromDayNumber, MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';
import { sampleKind } from '../../platform/database/index.js';
import { fallbackZoneOf } from '../../store/facts/index.js';
import { type InstantBounds, sqlInstant } from '../bounds.js';
import { nearestOffset } from '../nearest-offset.js';

/** Minimum and maximum offset of samples near both edges of a range, including UTC. */
export interface EdgeOffsets {
  head_min: number;
  head_max: number;
  tail_min: number;
  tail_max: number;
}

/** Number of days around an edge whose offsets may place a sample near the edge. */
const MARGIN = 4;

/** Returns SQL for the observed or assumed offsets of samples near a date. */
function offsetsNear(user: string, date: string): string {
  const [from, to] = [`(${date}::date - ${MARGIN})`, `(${date}::date + ${MARGIN})`];
  return `
    select unnest(array[offset_minutes, zone_offset_minutes(zone, ${from}), zone_offset_minutes(zone, ${to})]) as minutes
      from offset_day where user_key = ${user}
       and utc_date >= coalesce((select max(utc_date) from offset_day where user_key = ${user} and utc_date < ${from}), ${from})
       and utc_date <= coalesce((select min(utc_date) from offset_day where user_key = ${user} and utc_date > ${to}), ${to})
    union all
    select zone_offset_minutes(${fallbackZoneOf(user)}, at) from unnest(array[${from}, ${to}]::timestamptz[]) as near (at)`;
}

/**
 * Returns SQL for one row of {@link EdgeOffsets}.
 * @param user SQL of the user's key
 * @param first SQL of the first date of the range in UTC
 */
export function edgeOffsets(user: string, first: string, last: string): string {
  return `
    select least(0, min(minutes) filter (where is_head)) as head_min,
      greatest(0, max(minutes) filter (where is_head)) as head_max,
      least(0, min(minutes) filter (where not is_head)) as tail_min,
      greatest(0, max(minutes) filter (where not is_head)) as tail_max
    from (
      select minutes, true as is_head from (${offsetsNear(user, first)}) head
      union all
      select minutes, false from (${offsetsNear(user, last)}) tail
    ) seen`;
}

/**
 * Condition for samples that the offset timeline places. A daily total at exactly midnight UTC without an offset is a date.
 */
const PLACED_BY_TIMELINE = `s.offset_minutes is null
  and not (${sampleKind('s.')} = 1 and date_trunc('day', s.start_at, 'UTC') = s.start_at)`;
const localDateSql = (offset: string) => `((s.start_at at time zone 'UTC') + ${offset} * interval '1 minute')::date`;

/** SQL of a count within the statement of a page. */
export interface PartialCount {
  /** Suffix of the statement's name. */
  name: string;
  /** $1 is the user, $2 the types, $5 the source ids or null. Further parameters start at $11. */
  sql: string;
}

const [FIRST_DATE, BEFORE_DATE, FROM, HEAD_BEFORE, TAIL_FROM, BEFORE] = [
  '$11',
  '$12',
  '$13',
  '$14',
  '$15',
  '$16',
] as const;
const OF_SOURCES = '($5::int4[] is null or source_id = any ($5::int4[]))';

/**
 * Returns SQL for the samples of an edge by primary key, with their local dates. Counts samples that need the offset
 * timeline separately, because its join would make all other samples ten times as slow.
 */
function edge(from: string, before: string, condition: string): string {
  const selected = `s.user_key = $1 and s.type_id = any ($2::int2[])
      and s.start_at >= ${from}::timestamptz and s.start_at < ${before}::timestamptz and ${OF_SOURCES}`;
  return `(
    select count(*) from sample s
    where ${selected} and not (${PLACED_BY_TIMELINE}) and ${localDateSql('coalesce(s.offset_minutes, 0)')} ${condition}
  ) + (
    select count(*) from sample s
    left join lateral (${nearestOffset('s.start_at', 'true')}) near on true
    where ${selected} and ${PLACED_BY_TIMELINE} and ${localDateSql('coalesce(near.offset_minutes, 0)')} ${condition}
  )`;
}

function rollupSum(table: string, count: string): string {
  return `(
     select coalesce(sum(${count}), 0)::int8 from ${table}
     where user_key = $1 and type_id = any ($2::int2[])
       and local_date >= ${FIRST_DATE}::date and local_date < ${BEFORE_DATE}::date and ${OF_SOURCES}
   )`;
}

/** Counts whole local days as roll-ups minus archived samples, and both edges by index. */
export const COUNT_BY_ROLLUP: PartialCount = {
  name: 'rollup',
  sql: `${rollupSum('day_value', 'sample_count + total_count + aggregate_count')}
    - ${rollupSum('day_archive', 'sample_count')}
    + ${edge(FROM, HEAD_BEFORE, `< ${FIRST_DATE}::date`)} + ${edge(TAIL_FROM, BEFORE, `>= ${BEFORE_DATE}::date`)}`,
};

/** Counts the samples of ranges without a whole local day. */
export const COUNT_BY_INDEX: PartialCount = {
  name: 'index',
  sql: `(
    select count(*) from sample
    where user_key = $1 and type_id = any ($2::int2[])
      and start_at >= $11::timestamptz and start_at < $12::timestamptz and ${OF_SOURCES}
  )`,
};

/** Selected samples. If `sourceIds` is undefined, samples of all sources. */
export interface SampleSelection {
  typeIds: readonly number[];
  sourceIds: readonly number[] | undefined;
  bounds: InstantBounds;
}

/** Returns the exact count of a range and its parameters. The cost depends on days and the two edges, not on samples. */
export function countOf(bounds: InstantBounds, edges: EdgeOffsets): { count: PartialCount; values: string[] } {
  const inner = innerDays(bounds, edges);
  if (!inner) return { count: COUNT_BY_INDEX, values: [sqlInstant(bounds.fromMs), sqlInstant(bounds.beforeMs)] };
  return {
    count: COUNT_BY_ROLLUP,
    values: [
      fromDayNumber(inner.firstDay),
      fromDayNumber(inner.beforeDay),
      sqlInstant(bounds.fromMs),
      sqlInstant(Math.min(inner.headBeforeMs, bounds.beforeMs)),
      sqlInstant(Math.max(inner.tailFromMs, bounds.fromMs)),
      sqlInstant(bounds.beforeMs),
    ],
  };
}

/**
 * Returns the local days that are completely in the range for every possible offset. Also returns how far samples of
 * other local days reach into the range at both edges. Undefined if no local day is completely in the range.
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
