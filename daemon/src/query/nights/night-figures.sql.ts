import { seriesTypeByCode } from '@healthd/model';
import type pg from 'pg';
import { sampleKind, statement } from '../../platform/database/index.js';
import { ARCHIVED_DATE } from '../../store/archive/index.js';
import { NIGHT_READINGS, NIGHT_SUMS } from '../../store/derived/index.js';
import { nearestOffset } from '../nearest-offset.js';
import { listedNumbers, numberList } from '../number-list.js';

const OXYGEN = seriesTypeByCode('oxygen_saturation').id;
const SDNN = seriesTypeByCode('heart_rate_variability_sdnn').id;
const RMSSD = seriesTypeByCode('heart_rate_variability_rmssd').id;

/** Counts and sums of values. */
type Sums<Name extends string> = Record<`${Name}_count` | `${Name}_sum`, number>;

/** Readings of one series by one source in the night of a date; see {@link NIGHT_READINGS}. */
export interface NightReadings extends Sums<'asleep' | 'window' | 'aggregate' | 'near' | 'stamped'> {
  /** Position of the night in the request, from 1. */
  place: number;
  type_id: number;
  source_id: number;
}

/**
 * Reads readings from samples for nights whose sessions differ from the stored nights. These nights have sessions of
 * several dates, or lack sessions that count as naps. Archived samples count as stored. Parameters: user, types, then
 * arrays: position of the night, its date, id of a session.
 */
export const sampledReadings = statement(
  'night_readings_sampled',
  `with chosen as materialized (
     select asked.place, asked.wake_date, s.source_id, ${ARCHIVED_DATE} as own_date, s.start_at, s.end_at, s.stages
     from unnest($3::int4[], $4::date[], $5::uuid[]) as asked(place, wake_date, id)
     join sleep_session s on s.user_key = $1 and s.id = asked.id
   ), night as materialized (
     select place, wake_date, min(start_at) as start_at, max(end_at) as end_at,
       coalesce(range_agg(staged.asleep), range_agg(tstzrange(start_at, end_at))) as asleep
     from chosen
     cross join lateral (
       select range_agg(tstzrange((stage ->> 'start_time')::timestamptz, (stage ->> 'end_time')::timestamptz))
       from jsonb_array_elements(stages) stage where stage ->> 'stage' in ('light', 'deep', 'rem', 'sleeping')
     ) staged(asleep)
     group by place, wake_date
   )
   select place, type_id, source_id, ${NIGHT_SUMS.map((sum) => `sum(${sum}) as ${sum}`).join(', ')}
   from (
     select night.place, type_id.type_id, readings.*
     from night cross join unnest($2::int2[]) as type_id cross join lateral (${NIGHT_READINGS}) readings
     union all
     select own.place, gone.type_id, gone.source_id, gone.asleep_count, gone.asleep_sum, gone.window_count,
       gone.window_sum, 0, 0, 0, 0, 0, 0
     from (select distinct place, own_date, source_id from chosen) own
     join night_archive gone on gone.wake_date = own.own_date and gone.night_source_id = own.source_id
     where gone.user_key = $1 and gone.type_id = any ($2::int2[])
   ) parts
   group by place, type_id, source_id`,
);

/** Roll-up of one series of one source on one local date. */
export interface DateReadings {
  date: string;
  type_id: number;
  source_id: number;
  sample_count: number;
  sample_sum: number | null;
  sample_min: number | null;
  sample_max: number | null;
  total_count: number;
  total_sum: number | null;
  aggregate_count: number;
}

/** A resting heart rate, a recovery score, or a sample that represents a date. */
export interface StampedRow {
  source_id: number;
  /** Null for a score. */
  type_id: number | null;
  kind: number | null;
  at: Date;
  own_offset: number | null;
  /** The record's own offset, or the offset that dates it. */
  offset_minutes: number;
  value: number | null;
  components: Record<string, { value?: number | null } | null> | null;
}

const NIGHT_NUMBERS = ['place', 'type_id', 'source_id', ...NIGHT_SUMS];
const DATE_NUMBERS = [
  'type_id',
  'source_id',
  'sample_count',
  'sample_sum',
  'sample_min',
  'sample_max',
  'total_count',
  'total_sum',
  'aggregate_count',
] as const;

const lists = (columns: readonly string[], prefix: string) =>
  columns.map((column) => `${listedNumbers(column)} as ${prefix}${column}`).join(', ');

/**
 * Reads all evidence about the dates of a range in one statement, because each round trip costs more than any of the parts.
 * - Readings of stored nights by the primary key of night_value.
 * - Roll-ups of dates by the primary key of day_value: vendors' totals. If a type of resting heart rates is passed,
 *   also all roll-ups of dates without sleep.
 * - Resting heart rates, scores, and samples of other series at exactly midnight UTC without an offset, which represent a
 *   date: about one row per day, source and series. Skips settled dates, because only dates without sleep use such samples.
 * Parameters: user, from, before, types of nights, arrays of stored nights: wake date, source; types of dates, dates with
 * sleep, type of resting heart rates or null, types that may represent a date, settled dates.
 */
const nightEvidence = statement(
  'night_evidence',
  `with stored as materialized (
     select v.wake_date, v.night_source_id, v.type_id, v.source_id, ${NIGHT_SUMS.map((sum) => `v.${sum}`).join(', ')}
     from night_value v
     where v.user_key = $1 and v.wake_date >= $2::date and v.wake_date < $3::date and v.type_id = any ($4::int2[])
   ), stamped as (
     select h.source_id, h.type_id, ${sampleKind('h.')} as kind, h.start_at as at, h.offset_minutes, h.value, null::jsonb as components
     from sample h
     where h.user_key = $1 and h.type_id = $9::int2 and h.start_at >= $2::date - 3 and h.start_at < $3::date + 3
     union all
     select m.source_id, m.type_id, ${sampleKind('m.')}, m.start_at, m.offset_minutes, m.value, null
     from (
       select distinct v.type_id, v.local_date + day as date from day_value v cross join (values (0), (1)) as next(day)
       where v.user_key = $1 and v.local_date >= $2::date - 2 and v.local_date < $3::date + 1
         and v.type_id = any ($10::int2[]) and v.local_date + day not in (select unnest($11::date[]))
     ) probe
     join sample m on m.user_key = $1 and m.type_id = probe.type_id
       and m.start_at = probe.date::timestamp at time zone 'UTC'
     where m.offset_minutes is null
     union all
     select c.source_id, null, null, c.recorded_at, c.offset_minutes, c.value, c.components
     from health_score c
     where c.user_key = $1 and c.category = 'recovery' and c.recorded_at >= $2::date - 3 and c.recorded_at < $3::date + 3
   )
   select night.*, dated.*, (
     select json_agg(json_build_array(m.source_id, m.type_id, m.kind,
         extract(epoch from date_trunc('milliseconds', m.at)) * 1000, m.offset_minutes,
         coalesce(m.offset_minutes, near.offset_minutes, 0), m.value, m.components)
       order by m.at, m.source_id, m.kind, m.value)
     from stamped m
     left join lateral (
       ${nearestOffset('m.at', 'm.offset_minutes is null')}
     ) near on true
   ) as stamped
   from (
     select ${lists(NIGHT_NUMBERS, 'night_')}
     from unnest($5::date[], $6::int4[]) with ordinality as asked(wake_date, night_source_id, place)
     join stored using (wake_date, night_source_id)
   ) night cross join (
     select string_agg(local_date::text, ',') as date_local_date, ${lists(DATE_NUMBERS, 'date_')}
     from day_value
     where user_key = $1 and local_date >= $2::date and local_date < $3::date and type_id = any ($7::int2[])
       and (total_count > 0 or $9::int2 is not null and local_date not in (select unnest($8::date[])))
   ) dated`,
);

type StampedColumns = [
  sourceId: number,
  typeId: number | null,
  kind: number | null,
  atMs: number,
  ownOffset: number | null,
  offset: number,
  value: number | string | null,
  components: StampedRow['components'],
];
type ListedEvidence = Record<string, string | null> & { stamped: StampedColumns[] | null };

/** Evidence about the dates of a range. */
export interface NightEvidence {
  nights: NightReadings[];
  dates: DateReadings[];
  /** Stamped records in order of time. */
  stamped: StampedRow[];
}

/** @param values parameters of {@link nightEvidence} */
export async function readNightEvidence(pool: pg.Pool, values: unknown[]): Promise<NightEvidence> {
  const { rows } = await pool.query<ListedEvidence>(nightEvidence(values));
  const [listed] = rows;
  return {
    nights: nightReadings(listed),
    dates: dateReadings(listed),
    stamped: (listed?.stamped ?? []).map(
      ([sourceId, typeId, kind, atMs, ownOffset, offset, value, components]): StampedRow => ({
        source_id: sourceId,
        type_id: typeId,
        kind,
        at: new Date(atMs),
        own_offset: ownOffset,
        offset_minutes: offset,
        // JSON has no infinite numbers, so Postgres writes them as text.
        value: value === null ? null : Number(value),
        components,
      }),
    ),
  };
}

// Both functions name each member, because V8 stores objects with many computed members as slow dictionaries.

function nightReadings(listed: ListedEvidence | undefined): NightReadings[] {
  const column = (name: keyof NightReadings) => numberList(listed?.[`night_${name}`] ?? '') as number[];
  const [places, types, sources] = [column('place'), column('type_id'), column('source_id')] as const;
  const [asleepCounts, asleepSums] = [column('asleep_count'), column('asleep_sum')] as const;
  const [windowCounts, windowSums] = [column('window_count'), column('window_sum')] as const;
  const [aggregateCounts, aggregateSums] = [column('aggregate_count'), column('aggregate_sum')] as const;
  const [nearCounts, nearSums] = [column('near_count'), column('near_sum')] as const;
  const [stampedCounts, stampedSums] = [column('stamped_count'), column('stamped_sum')] as const;
  return places.map((place, at) => ({
    place,
    type_id: types[at] as number,
    source_id: sources[at] as number,
    asleep_count: asleepCounts[at] as number,
    asleep_sum: asleepSums[at] as number,
    window_count: windowCounts[at] as number,
    window_sum: windowSums[at] as number,
    aggregate_count: aggregateCounts[at] as number,
    aggregate_sum: aggregateSums[at] as number,
    near_count: nearCounts[at] as number,
    near_sum: nearSums[at] as number,
    stamped_count: stampedCounts[at] as number,
    stamped_sum: stampedSums[at] as number,
  }));
}

function dateReadings(listed: ListedEvidence | undefined): DateReadings[] {
  const column = (name: (typeof DATE_NUMBERS)[number]) => numberList(listed?.[`date_${name}`] ?? '');
  /** Reads a column without nulls. */
  const known = (name: (typeof DATE_NUMBERS)[number]) => column(name) as number[];
  const [types, sources] = [known('type_id'), known('source_id')];
  const [sampleCounts, totalCounts, aggregateCounts] = [
    known('sample_count'),
    known('total_count'),
    known('aggregate_count'),
  ];
  const [sampleSums, totalSums] = [column('sample_sum'), column('total_sum')];
  const [sampleMins, sampleMaxs] = [column('sample_min'), column('sample_max')];
  return (listed?.date_local_date?.split(',') ?? []).map((date, at) => ({
    date,
    type_id: types[at] as number,
    source_id: sources[at] as number,
    sample_count: sampleCounts[at] as number,
    sample_sum: sampleSums[at] ?? null,
    sample_min: sampleMins[at] ?? null,
    sample_max: sampleMaxs[at] ?? null,
    total_count: totalCounts[at] as number,
    total_sum: totalSums[at] ?? null,
    aggregate_count: aggregateCounts[at] as number,
  }));
}

/**
 * Readings of one series by one source on a date without sleep. `given` contains the vendor's values stamped with the
 * date, `aggregate` the vendor's other values of the date.
 */
export interface WakingReadings extends Sums<'stamped' | 'given' | 'aggregate' | 'local'> {
  place: number;
}

/**
 * Reads readings of dates without sleep from samples: samples that represent the date, the vendor's values of the date, and
 * readings on the local date. Excludes readings in the nights of other dates (`nights`; with margins `nights_near` for
 * values of a whole night).
 * Parameters: user, then arrays: type, source, date, nights and nights_near as multiranges.
 */
export const wakingReadings = statement(
  'night_waking_readings',
  `select asked.place::int4, totals.*
   from unnest($2::int2[], $3::int4[], $4::date[], $5::text[], $6::text[]) with ordinality
     as asked(type_id, source_id, date, nights, nights_near, place)
   cross join lateral (
     select count(*) filter (where kind <> 2 and stamp_date = asked.date)::int4 as stamped_count,
       coalesce(sum(value) filter (where kind <> 2 and stamp_date = asked.date), 0) as stamped_sum,
       count(*) filter (where kind = 2 and stamp_date = asked.date)::int4 as given_count,
       coalesce(sum(value) filter (where kind = 2 and stamp_date = asked.date), 0) as given_sum,
       count(*) filter (where kind = 2 and is_of_date and stamp_date is null)::int4 as aggregate_count,
       coalesce(sum(value) filter (where kind = 2 and is_of_date and stamp_date is null), 0) as aggregate_sum,
       count(*) filter (where kind = 0 and is_of_date and stamp_date is null)::int4 as local_count,
       coalesce(sum(value) filter (where kind = 0 and is_of_date and stamp_date is null), 0) as local_sum
     from (
       select kind, value, stamp_date,
         coalesce(stamp_date = asked.date, local_date = asked.date
           and not start_at <@ (case when kind = 2 then asked.nights_near else asked.nights end)::tstzmultirange) as is_of_date
       from (
         select ${sampleKind('m.')} as kind, m.start_at,
           case when m.type_id = ${OXYGEN} and m.value <= 1 then m.value * 100 else m.value end as value,
           case when m.offset_minutes is null and m.start_at = date_trunc('day', m.start_at, 'UTC')
               then (m.start_at at time zone 'UTC')::date
             when ${sampleKind('m.')} = 1
               then (m.start_at at time zone 'UTC' + coalesce(m.offset_minutes, near.offset_minutes, 0) * interval '1 minute')::date
           end as stamp_date,
           (m.start_at at time zone 'UTC' + coalesce(m.offset_minutes, near.offset_minutes, 0) * interval '1 minute')::date
             as local_date
         from sample m
         left join lateral (
           ${nearestOffset('m.start_at', 'm.offset_minutes is null')}
         ) near on true
         where m.user_key = $1 and m.type_id = asked.type_id and m.source_id = asked.source_id
           and m.start_at >= asked.date - interval '14 hours' and m.start_at < asked.date + interval '38 hours'
         order by m.start_at
       ) placed
       where case when asked.type_id = ${OXYGEN} then value between 50 and 100
         when asked.type_id in (${SDNN}, ${RMSSD}) then value between 1 and 400 else true end
     ) measured
   ) totals`,
);
