import { statement } from '../../platform/database/index.js';
import { SOURCE_COLUMNS, type SourceRow } from '../sources.js';
import { type SleptRow, sleptSessions } from './asleep.sql.js';
import { type ElevationRow, workoutElevation } from './elevation.sql.js';
import { listedNumbers } from './number-list.js';

/** Columns of day_value that are numbers, some of them null. */
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
export type NumberColumn = (typeof NUMBERS)[number];

/**
 * All values of a page, each column a list in the same order: by day, type and source. Lists, nights and climbs are null
 * when the page has none. `days` counts the days with data in the whole range.
 */
export interface StoredDayValues extends Record<NumberColumn, string | null> {
  days: number;
  birth_date: string | null;
  /** All sources of the user; null without any. */
  sources: SourceRow[] | null;
  nights: SleptRow[] | null;
  climbs: ElevationRow[] | null;
  local_date: string | null;
}

/**
 * A page of days with everything rolled up for them, its sources, nights and climbs, in one row: a statement of its own
 * costs the daemon a quarter of a millisecond, and hundreds of rows cost the driver more than the database.
 * Both halves walk day_value's primary key (user_key, type_id, local_date, source_id) once for each type: the first
 * over the range, the second from the first to the last day of the page. A join on the days instead is planned as a
 * look-up for each type and day, twice the cost.
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
     select counted.days, person.birth_date, listed.*,
       (select json_agg(own) from (select ${SOURCE_COLUMNS} from data_source s where s.user_key = $1) own) as sources,
       (select json_agg(night) from (${sleptSessions('page.first_date', 'page.last_date')}) night) as nights,
       (select json_agg(climb) from (${workoutElevation('page.first_date', 'page.last_date')}) climb) as climbs
     from (select count(*) as days from present) counted
     left join personal_record person on person.user_key = $1
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

export const dayValuesAscending = dayValues('activity_days_asc', '>', 'asc');
export const dayValuesDescending = dayValues('activity_days_desc', '<', 'desc');
