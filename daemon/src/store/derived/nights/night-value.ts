import {
  dayNumber,
  fromDayNumber,
  measuresOncePerNight,
  NIGHTLY_TYPE_IDS,
  PROVIDER_IDS,
  seriesTypeByCode,
} from '@healthd/model';
import type pg from 'pg';
import { sampleKind } from '../../../platform/database/index.js';
import { changesOf } from '../../facts/changes.js';
import type { DirtyDays } from '../../facts/dirty-days.js';

const OXYGEN = seriesTypeByCode('oxygen_saturation').id;
const VARIABILITY = ['heart_rate_variability_sdnn', 'heart_rate_variability_rmssd'] as const;
const VARIABILITY_IDS = VARIABILITY.map((code) => seriesTypeByCode(code).id);
/** Series whose samples at exactly midnight UTC without an offset represent a date, not an instant. */
const DATE_STAMPED_IDS = [...VARIABILITY_IDS, OXYGEN];

/**
 * Maximum number of candidate sleeps per wake date with stored readings. Summaries read the readings of other sleeps
 * from samples.
 */
export const STORED_NIGHTS_PER_DATE = 6;

/**
 * Distance in days between a sample's local day and the wake dates of the nights that may contain the sample. UTC
 * offsets shift the day, and vendors stamp nightly averages up to six hours after the night.
 */
const DAYS_BEFORE = 1;
const DAYS_AFTER = 2;

/** Returns the wake dates that changed samples of nightly series may belong to. */
export function wakeDatesAround(dirtyDays: DirtyDays): Set<string> {
  const days = new Set<number>();
  for (const typeId of NIGHTLY_TYPE_IDS) {
    for (const day of dirtyDays.daysOf(typeId)) {
      for (let near = day - DAYS_BEFORE; near <= day + DAYS_AFTER; near++) days.add(near);
    }
  }
  return new Set([...days].map(fromDayNumber));
}

/**
 * Recomputes the readings of the nights that end on these wake dates, from the stored sessions and samples. Records
 * that the nights' summaries may have changed.
 */
export async function refreshNights(
  client: pg.ClientBase,
  userKey: number,
  wakeDates: Iterable<string>,
  typeIds: readonly number[] = NIGHTLY_TYPE_IDS,
): Promise<void> {
  const dates = [...wakeDates];
  if (dates.length === 0 || typeIds.length === 0) return;
  const days = dates.map((date) => dayNumber(date) as number);
  for (const summary of ['sleep', 'recovery'] as const) changesOf(client, userKey).addSummary(summary, days);
  await client.query({ name: 'records-refresh-nights', text: REFRESH, values: [userKey, dates, typeIds] });
}

/** Asleep intervals of a session `s`: its light, deep, REM and sleeping stages. */
const ASLEEP = `(select range_agg(tstzrange((stage ->> 'start_time')::timestamptz, (stage ->> 'end_time')::timestamptz))
   from jsonb_array_elements(s.stages) stage where stage ->> 'stage' in ('light', 'deep', 'rem', 'sleeping'))`;

/**
 * SQL for the candidate sleeps of wake dates: one source's main sessions of one date. The window is from the first
 * start to the last end. Asleep time is the sleep stages, or the whole sessions if no session has sleep stages. Selects
 * the longest sleeps, up to a limit per date. Common table expressions `main` and `night`; parameters: user, wake
 * dates.
 * @param isNap SQL condition of the sessions `s` to leave out
 * @param options.date SQL of the date that groups the sessions `s`
 * @param options.isFirst SQL condition of the sleeps `main` (wake_date, source_id) to select before longer sleeps
 */
export const nightsWithout = (isNap: string, { date = 's.wake_date', isFirst = 'false' } = {}) => `
main as materialized (
  select ${date} as wake_date, s.source_id, s.start_at, s.end_at, s.asleep_seconds, ${ASLEEP} as asleep
    from sleep_session s
   where s.user_key = $1 and s.wake_date = any ($2::date[]) and not (${isNap})
), night as materialized (
  select wake_date, source_id as night_source_id, start_at, end_at, asleep
    from (
      select wake_date, source_id, min(start_at) as start_at, max(end_at) as end_at,
             coalesce(range_agg(asleep), range_agg(tstzrange(start_at, end_at))) as asleep,
             row_number() over (partition by wake_date
                                order by (${isFirst}) desc, sum(coalesce(asleep_seconds, 0)) desc, source_id) as place
        from main
       group by wake_date, source_id
    ) ranked
   where place <= ${STORED_NIGHTS_PER_DATE}
)`;

/** Sum columns of a night's readings. */
export const NIGHT_SUMS = ['asleep', 'window', 'aggregate', 'near', 'stamped'].flatMap((sums) => [
  `${sums}_count`,
  `${sums}_sum`,
]);

/** SQL list of the providers that measure variability and saturation once per night. */
const ONCE_PER_NIGHT = PROVIDER_IDS.filter(measuresOncePerNight)
  .map((provider) => `'${provider}'`)
  .join(', ');

/**
 * SQL for the readings of one night `night` (wake_date, start_at, end_at, asleep) and one series `type_id`, with a row
 * per source with data. Each row contains sums as defined for the recovery summary:
 * - asleep, window: samples while asleep, and from going to bed to getting up;
 * - aggregate: values that a vendor computed for the whole night, stamped from an hour before it to six hours after it;
 * - near: samples from an hour before to six hours after the night, from providers that measure once per night;
 * - stamped: samples that represent the wake date.
 * Saturation stored as a fraction becomes percent. Ignores saturation outside 50 to 100 % and variability outside 1 to
 * 400 ms. Sums values in order of start, so that sums do not depend on the order of arrival. The query plan needs one
 * range scan and one key lookup on the primary key of `sample`.
 */
export const NIGHT_READINGS = `
  select source_id,
         count(*) filter (where kind = 0 and is_asleep)::int4 as asleep_count,
         coalesce(sum(value) filter (where kind = 0 and is_asleep), 0) as asleep_sum,
         count(*) filter (where kind = 0 and in_window)::int4 as window_count,
         coalesce(sum(value) filter (where kind = 0 and in_window), 0) as window_sum,
         count(*) filter (where kind = 2)::int4 as aggregate_count,
         coalesce(sum(value) filter (where kind = 2), 0) as aggregate_sum,
         count(*) filter (where is_near)::int4 as near_count,
         coalesce(sum(value) filter (where is_near), 0) as near_sum,
         count(*) filter (where kind = 0 and is_stamped)::int4 as stamped_count,
         coalesce(sum(value) filter (where kind = 0 and is_stamped), 0) as stamped_sum
    from (
      select m.source_id, ${sampleKind('m.')} as kind, m.start_at,
             m.start_at >= night.start_at and m.start_at < night.end_at as in_window,
             m.start_at <@ night.asleep as is_asleep,
             ${sampleKind('m.')} = 0 and not stamp.is_stamped and m.source_id = any (array(
               select source_id from data_source where user_key = $1 and provider in (${ONCE_PER_NIGHT}))) as is_near,
             stamp.is_stamped,
             case when m.type_id = ${OXYGEN} and m.value <= 1 then m.value * 100 else m.value end as value
        from (
          select * from sample
           where user_key = $1 and type_id = type_id.type_id
             and start_at >= night.start_at - interval '1 hour' and start_at < night.end_at + interval '6 hours'
          union all
          select * from sample
           where user_key = $1 and type_id = type_id.type_id
             and start_at = night.wake_date::timestamp at time zone 'UTC'
             and not (start_at >= night.start_at - interval '1 hour' and start_at < night.end_at + interval '6 hours')
             and offset_minutes is null and type_id.type_id in (${DATE_STAMPED_IDS.join(', ')})
        ) m
       cross join lateral (
         select m.type_id in (${DATE_STAMPED_IDS.join(', ')}) and m.offset_minutes is null
                and m.start_at = date_trunc('day', m.start_at, 'UTC') as is_stamped
       ) stamp
       -- A sample that stands for another date belongs to that date's night.
       where not stamp.is_stamped or m.start_at = night.wake_date::timestamp at time zone 'UTC'
       order by m.source_id, m.start_at
    ) measured
   -- Most samples in the margins are of no use. Leaves them out before the sort.
   where (kind = 2 or in_window or is_asleep or is_near or is_stamped)
     and case when type_id.type_id = ${OXYGEN} then value between 50 and 100
              when type_id.type_id in (${VARIABILITY_IDS.join(', ')}) then value between 1 and 400
              else true end
   group by source_id`;

/**
 * SQL that recomputes the readings of nights, including archived samples. Writes rows that differ and deletes rows
 * without readings. Parameters: user, dates, types.
 */
const REFRESH = `
with ${nightsWithout('s.is_nap')}, fresh as (
  select wake_date, night_source_id, type_id, source_id, ${NIGHT_SUMS.map((sum) => `sum(${sum}) as ${sum}`).join(', ')}
    from (
      select gone.wake_date, gone.night_source_id, gone.type_id, gone.source_id, gone.asleep_count, gone.asleep_sum,
             gone.window_count, gone.window_sum, 0 as aggregate_count, 0 as aggregate_sum, 0 as near_count, 0 as near_sum,
             0 as stamped_count, 0 as stamped_sum
        from night join night_archive gone using (wake_date, night_source_id)
       where gone.user_key = $1 and gone.type_id = any ($3::int2[])
      union all
      select night.wake_date, night.night_source_id, type_id.type_id, readings.*
        from night
       cross join unnest($3::int2[]) as type_id
       cross join lateral (${NIGHT_READINGS}) readings
    ) parts
   group by wake_date, night_source_id, type_id, source_id
  having sum(asleep_count + window_count + aggregate_count + near_count + stamped_count) > 0
), emptied as (
  delete from night_value n
   where n.user_key = $1 and n.wake_date = any ($2::date[]) and n.type_id = any ($3::int2[])
     and not exists (select from fresh f
                      where f.wake_date = n.wake_date and f.night_source_id = n.night_source_id
                        and f.type_id = n.type_id and f.source_id = n.source_id)
)
insert into night_value as stored (user_key, wake_date, night_source_id, type_id, source_id, ${NIGHT_SUMS.join(', ')})
select $1, wake_date, night_source_id, type_id, source_id, ${NIGHT_SUMS.join(', ')} from fresh
on conflict (user_key, wake_date, night_source_id, type_id, source_id) do update
   set ${NIGHT_SUMS.map((sum) => `${sum} = excluded.${sum}`).join(', ')}
 where (${NIGHT_SUMS.map((sum) => `stored.${sum}`).join(', ')})
    is distinct from (${NIGHT_SUMS.map((sum) => `excluded.${sum}`).join(', ')})`;
