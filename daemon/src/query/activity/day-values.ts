import { round, seriesTypeByCode } from '@healthd/model';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import type { DayBounds } from '../bounds.js';
import { nearestOffset } from '../nearest-offset.js';
import { sumValue } from '../presentation.js';
import { SOURCE_COLUMNS, type SourceRow } from '../sources.js';
import { listedNumbers, numberList } from '../number-list.js';

/** One night or nap of any source, with the offset of its wall clock. */
export interface SleptRow {
  /**
   * Alternating starts and ends of stretches asleep, in milliseconds since 1970. A session without stages is one stretch.
   */
  asleep_spans: number[];
  offset_minutes: number;
}

/**
 * Returns SQL for the nights and naps of user $1 that may touch the days, by index on (user_key, wake_date). Excludes
 * sessions that contain only time in bed. A missing offset comes from the user's timeline.
 */
function sleptSessions(firstDate: string, lastDate: string): string {
  return `
    select coalesce(n.asleep_spans, array[
        extract(epoch from date_trunc('milliseconds', n.start_at)) * 1000,
        extract(epoch from date_trunc('milliseconds', n.end_at)) * 1000
      ]::float8[]) as asleep_spans,
      coalesce(n.offset_minutes, near.offset_minutes, 0) as offset_minutes
    from sleep_session n
    left join lateral (
      ${nearestOffset('n.end_at', 'n.offset_minutes is null')}
    ) near on true
    where n.user_key = $1 and n.wake_date between ${firstDate} and ${lastDate} + 1
      and (n.asleep_spans is not null or n.asleep_seconds > 0)`;
}

/** Elevation gain of one source in the workouts of one day. */
export interface ElevationRow {
  local_date: string;
  source_id: number;
  elevation_meters: number;
}

/** Returns SQL for the elevation gain of user $1 on the days, by index on (user_key, local_date). */
function workoutElevation(firstDate: string, lastDate: string): string {
  return `
    select w.local_date, w.source_id, sum(w.elevation_gain_meters) as elevation_meters
    from workout w
    where w.user_key = $1 and w.local_date between ${firstDate} and ${lastDate} and w.elevation_gain_meters is not null
    group by w.local_date, w.source_id`;
}

/** Numeric columns of day_value; some may be null. */
const NUMBERS = [
  'type_id',
  'source_id',
  'sample_sum',
  'sample_min',
  'sample_max',
  'sample_count',
  'total_sum',
  'total_count',
  'covered_minutes',
] as const;
type NumberColumn = (typeof NUMBERS)[number];

/**
 * All values of a page. Each column is a list in the order of day, type and source. Lists, nights and climbs are null
 * if the page has no rows for them. `days` counts the days with data in the whole range.
 */
interface StoredDayValues extends Record<NumberColumn, string | null> {
  days: number;
  birth_date: string | null;
  /** Null if the user has no sources. */
  sources: SourceRow[] | null;
  nights: SleptRow[] | null;
  climbs: ElevationRow[] | null;
  local_date: string | null;
}

/**
 * Reads a page of days with roll-ups, sources, nights and climbs in one row. Separate statements would cost the daemon a
 * quarter of a millisecond each, and hundreds of rows cost the driver more than the database.
 * Both halves walk day_value's primary key (user_key, type_id, local_date, source_id) once per type: first over the range,
 * then from the first to the last day of the page. A join on the days would look up each type and day, which costs twice as
 * much.
 * Parameters: user, types, from, before, position or null, limit + 1.
 */
function dayValues(name: string, after: '>' | '<', order: 'asc' | 'desc') {
  return statement(
    name,
    `with present as materialized (
       select distinct local_date from day_value
       where user_key = $1 and type_id = any ($2::int2[]) and local_date >= $3::date and local_date < $4::date
         and sample_count + total_count > 0
     ), page as (
       select min(local_date) as first_date, max(local_date) as last_date from (
         select local_date from present
         where $5::date is null or local_date ${after} $5::date
         order by local_date ${order} limit $6
       ) shown
     )
     select counted.days, personal.birth_date, listed.*,
       (select json_agg(own) from (select ${SOURCE_COLUMNS} from data_source s where s.user_key = $1) own) as sources,
       (select json_agg(night) from (${sleptSessions('page.first_date', 'page.last_date')}) night) as nights,
       (select json_agg(climb) from (${workoutElevation('page.first_date', 'page.last_date')}) climb) as climbs
     from (select count(*) as days from present) counted
     left join personal_record personal on personal.user_key = $1
     cross join page
     cross join (
       select string_agg(local_date::text, ',') as local_date,
         ${NUMBERS.map((column) => `${listedNumbers(column)} as ${column}`).join(', ')}
       from (
         select v.local_date, ${NUMBERS.map((column) => `v.${column}`).join(', ')}
         from page
         join day_value v on v.user_key = $1 and v.type_id = any ($2::int2[])
           and v.local_date >= page.first_date and v.local_date <= page.last_date and v.sample_count + v.total_count > 0
         order by v.local_date ${order}, v.type_id, v.source_id
       ) ordered
     ) listed`,
  );
}

const dayValuesAscending = dayValues('activity_days_asc', '>', 'asc');
const dayValuesDescending = dayValues('activity_days_desc', '<', 'desc');

/** One value of a day and type, with its source. */
export interface DayValueRow extends SourceRow {
  local_date: string;
  type_id: number;
  sample_sum: number | null;
  sample_min: number | null;
  sample_max: number | null;
  sample_count: number;
  total_sum: number | null;
  total_count: number;
  covered_minutes: number;
}

/** Selects `limit` days with activity after the position, or before it when descending. */
interface DayValueQuery extends DayBounds {
  typeIds: readonly number[];
  position: string | null;
  ascending: boolean;
  /** Null for all days. */
  limit: number | null;
}

/** Values of a page of days, in the order of days, and the other data that summaries need. */
export interface DayValues {
  rows: DayValueRow[];
  /** Number of days with data in the whole range. */
  days: number;
  birthDate: string | null;
  /** Nights and naps that may touch the days. */
  nights: readonly SleptRow[];
  /** Elevation gain of each source in workouts. */
  climbs: readonly (ElevationRow & SourceRow)[];
}

export async function readDayValues(
  pool: pg.Pool,
  userKey: number,
  { typeIds, fromDate, beforeDate, position, ascending, limit }: DayValueQuery,
): Promise<DayValues> {
  const statement = ascending ? dayValuesAscending : dayValuesDescending;
  const { rows } = await pool.query<StoredDayValues>(
    statement([userKey, typeIds, fromDate, beforeDate, position, limit]),
  );
  const [stored] = rows;
  if (!stored) return { rows: [], days: 0, birthDate: null, nights: [], climbs: [] };
  const sources = new Map(stored.sources?.map((source) => [source.source_id, source]));
  return {
    rows: listedValues(stored, sources),
    days: stored.days,
    birthDate: stored.birth_date,
    nights: stored.nights ?? [],
    climbs: (stored.climbs ?? []).flatMap((climb) => {
      const source = sources.get(climb.source_id);
      return source ? { ...source, ...climb } : [];
    }),
  };
}

/** Converts the column lists of the statement to rows. */
function listedValues(stored: StoredDayValues, sources: ReadonlyMap<number, SourceRow>): DayValueRow[] {
  const listed = (column: NumberColumn) => numberList(stored[column] ?? '');
  /** Reads a column without nulls. */
  const known = (column: NumberColumn) => listed(column) as number[];
  const [typeIds, sourceIds, coveredMinutes] = [known('type_id'), known('source_id'), known('covered_minutes')];
  const [sampleCounts, totalCounts] = [known('sample_count'), known('total_count')];
  const [sampleSums, totalSums] = [listed('sample_sum'), listed('total_sum')];
  const [sampleMins, sampleMaxs] = [listed('sample_min'), listed('sample_max')];
  const values: DayValueRow[] = [];
  for (const [at, localDate] of (stored.local_date?.split(',') ?? []).entries()) {
    const source = sources.get(sourceIds[at] as number);
    if (!source) continue;
    // Copies members one by one: a year has thousands of values, and spreading the source into each would double the cost.
    values.push({
      local_date: localDate,
      type_id: typeIds[at] as number,
      source_id: source.source_id,
      provider: source.provider,
      account: source.account,
      from_cloud: source.from_cloud,
      device_model: source.device_model,
      writer: source.writer,
      own_writer: source.own_writer,
      device_id: source.device_id,
      device_type: source.device_type,
      sample_sum: sampleSums[at] ?? null,
      sample_min: sampleMins[at] ?? null,
      sample_max: sampleMaxs[at] ?? null,
      sample_count: sampleCounts[at] as number,
      total_sum: totalSums[at] ?? null,
      total_count: totalCounts[at] as number,
      covered_minutes: coveredMinutes[at] as number,
    });
  }
  return values;
}

export const STEPS = seriesTypeByCode('steps').id;

export const FLIGHTS = seriesTypeByCode('flights_climbed').id;

/** Returns the amount as the summary shows it: steps and floors are whole numbers. */
export function shownSum(typeId: number, value: DayValueRow | undefined): number | null {
  const sum = daySum(value);
  return sum !== null && (typeId === STEPS || typeId === FLIGHTS) ? round(sum) : sum;
}

/** Returns the provider's own daily total, or the sum of samples; null if the day has neither. */
export function daySum(value: DayValueRow | undefined): number | null {
  if (!value) return null;
  const sum = value.total_count > 0 ? value.total_sum : value.sample_sum;
  return sum === null ? null : sumValue(sum);
}
