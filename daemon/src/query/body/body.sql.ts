import { seriesTypeByCode } from '@healthd/model';
import { statement } from '../../platform/database/index.js';
import { localDateSql } from '../local-offsets.js';
import { nearestOffset } from '../nearest-offset.js';
import { LISTED_SOURCE_COLUMNS, SOURCE_COLUMNS, type SourceRow, WITH_SOURCES } from '../sources.js';

const SYSTOLIC = seriesTypeByCode('blood_pressure_systolic').id;
const DIASTOLIC = seriesTypeByCode('blood_pressure_diastolic').id;

/** A value at an instant. There are several rows of a type if sources measured at the same instant. */
export interface MeasuredRow extends SourceRow {
  type_id: number;
  at: Date;
  value: number;
  /** True for a value of the vendor's profile, whose `at` is not the time of a measurement. */
  is_profile: boolean;
}

/** Two pressures of one source within five seconds. A value may be in several rows. */
export interface PressureRow extends SourceRow {
  at: Date;
  systolic: number;
  diastolic: number;
  /** Identifies the sample within its series and source. */
  systolic_key: string;
  diastolic_key: string;
}

/** Returns SQL for the closest pairs of pressures of user $1, the closest first. The bounds are SQL of instants. */
function pressurePairs(from: string, before: string): string {
  return `
    select greatest(upper.start_at, lower.start_at) as at, upper.value as systolic, lower.value as diastolic,
      concat(extract(epoch from upper.start_at), ' ', upper.slot) as systolic_key,
      concat(extract(epoch from lower.start_at), ' ', lower.slot) as diastolic_key,
      ${SOURCE_COLUMNS}
    from sample upper
    cross join lateral (
      select d.start_at, d.value, d.slot from sample d
      where d.user_key = $1 and d.type_id = ${DIASTOLIC} and d.source_id = upper.source_id
        and d.start_at >= upper.start_at - interval '5 seconds' and d.start_at <= upper.start_at + interval '5 seconds'
        and d.start_at >= ${from} and d.start_at < ${before}
      offset 0
    ) lower
    join data_source s on s.user_key = $1 and s.source_id = upper.source_id
    where upper.user_key = $1 and upper.type_id = ${SYSTOLIC}
      and upper.start_at >= ${from} and upper.start_at < ${before}
    order by greatest(lower.start_at - upper.start_at, upper.start_at - lower.start_at), upper.start_at, lower.start_at,
      upper.slot, lower.slot, upper.source_id`;
}

/** Parameters: user, from, before. */
export const bloodPressures = statement('body_blood_pressures', pressurePairs('$2::timestamptz', '$3::timestamptz'));

/** SQL for the newest values of user $1. Same parameters as {@link newestBody}. */
const NEWEST_VALUES = `
  ${WITH_SOURCES}
  select wanted.type_id, m.start_at as at, m.value, m.source_id = any (profile.source_ids) as is_profile,
    ${LISTED_SOURCE_COLUMNS}
  from unnest($2::int2[]) as wanted(type_id)
  cross join lateral (
    select coalesce(array_agg(own.source_id), '{}') as source_ids
    from source own join unnest($4::text[], $5::int2[], $6::text[]) as given(provider, type_id, writer) using (provider)
    where given.type_id = wanted.type_id and (given.writer is null or given.writer = own.own_writer)
  ) profile
  cross join lateral (
    select coalesce(
      (select newest.start_at from sample newest
        where newest.user_key = $1 and newest.type_id = wanted.type_id and newest.start_at < $3::timestamptz
          and newest.source_id <> all (profile.source_ids)
        order by newest.start_at desc limit 1),
      (select newest.start_at from sample newest
        where newest.user_key = $1 and newest.type_id = wanted.type_id and newest.start_at < $3::timestamptz
        order by newest.start_at desc limit 1)) as start_at
  ) last
  cross join lateral (
    select * from sample
    where user_key = $1 and type_id = wanted.type_id and start_at = last.start_at
    offset 0
  ) m
  join source on source.source_id = m.source_id
  order by m.duration_ms desc nulls last, m.value desc`;

const BIRTH_DATE = '(select birth_date from personal_record where user_key = $1)';

const listed = (query: string) => `(select json_agg(found) from (${query}) found)`;

/**
 * Reads a body summary's values in one row. For each type reads the newest measured sample, otherwise the newest
 * profile value, with one or two backward steps on the primary key. Also reads pressures, and the user's local date at
 * the instant `before`. Parameters: user, types, before, then arrays: provider, type and writer of profile values;
 * instant from which pressures count.
 */
export const newestBody = statement(
  'body_newest',
  `select ${BIRTH_DATE} as birth_date, (${localDateSql('$3::timestamptz')}) as local_date, ${listed(NEWEST_VALUES)} as measured,
     ${listed(pressurePairs('$7::timestamptz', '$3::timestamptz'))} as pressures`,
);

/** Row of {@link newestBody}. The lists are null without rows. */
export interface NewestBody {
  birth_date: string | null;
  local_date: string;
  measured: InJson<MeasuredRow, 'value'>[] | null;
  pressures: InJson<PressureRow, 'systolic' | 'diastolic'>[] | null;
}

/** A row in JSON, which contains instants and infinite numbers as text. */
type InJson<Row extends { at: Date }, Numbers extends keyof Row> = Omit<Row, 'at' | Numbers> & { at: string } & Record<
    Numbers,
    number | string
  >;

/** A value with the user's birth date. */
export interface DatedMeasuredRow extends MeasuredRow {
  birth_date: string | null;
}

/**
 * Reads the newest sample of each source and type, for explanations. Parameters: user, types, before, then arrays: provider,
 * type and writer of profile values, the instants from which samples of each type count.
 */
export const newestValuesBySource = statement(
  'body_newest_values_by_source',
  `select distinct on (m.type_id, m.source_id) m.type_id, m.start_at as at, m.value,
     exists (
       select from unnest($4::text[], $5::int2[], $6::text[]) as given(provider, type_id, writer)
       where given.provider = s.provider and given.type_id = m.type_id
         and (given.writer is null or given.writer = s.writer)
     ) as is_profile,
     ${BIRTH_DATE} as birth_date, ${SOURCE_COLUMNS}
   from unnest($2::int2[], $7::timestamptz[]) as wanted(type_id, from_at)
   join sample m on m.user_key = $1 and m.type_id = wanted.type_id and m.start_at >= wanted.from_at
     and m.start_at < $3::timestamptz
   join data_source s on s.user_key = $1 and s.source_id = m.source_id
   order by m.type_id, m.source_id, m.start_at desc, m.duration_ms desc nulls last, m.value desc`,
);

/** Reads the user's UTC offset at an instant, in minutes; null if unknown. Parameters: user, instant. */
export const offsetAt = statement('body_offset', nearestOffset('$2::timestamptz', 'true'));
