import { fromDayNumber, NIGHTLY_TYPE_IDS } from '@healthd/model';
import type pg from 'pg';
import { HEART_RATE_TYPE_ID } from '../derived/days/day-minutes.js';
import { nightsWithout } from '../derived/nights/night-value.js';
import { SAMPLE_KEY, sampleRow } from '../facts/samples/sample-batch-columns.js';
import type { SampleRows } from '../facts/samples/sample-rows.js';
import { ARCHIVED_DATE, IS_ARCHIVED_AS_NAP } from './night-sources.js';

/** Number of wake dates before and after the archived days whose nights may contain samples of these days. */
const DAYS_BEFORE = 2;
const DAYS_AFTER = 2;

/**
 * Removes samples of one series, after adding their contributions to the stored values of nights and workouts.
 * @returns the number of removed samples
 */
export async function removeArchived(
  client: pg.ClientBase,
  userKey: number,
  typeId: number,
  { rows, positions, firstDay, lastDay }: { rows: SampleRows; positions: number[]; firstDay: number; lastDay: number },
): Promise<number> {
  const isOfNights = NIGHTLY_TYPE_IDS.includes(typeId);
  const wakeDates: string[] = [];
  for (let day = firstDay - DAYS_BEFORE; isOfNights && day <= lastDay + DAYS_AFTER; day++) {
    wakeDates.push(fromDayNumber(day));
  }
  const { rows: counted } = await client.query<{ removed: number }>({
    name: 'records-remove-archived',
    text: REMOVE,
    values: [
      userKey,
      wakeDates,
      typeId,
      typeId === HEART_RATE_TYPE_ID,
      ...SAMPLE_KEY.values(positions.map((row) => sampleRow(rows, row))),
    ],
  });
  return counted[0]?.removed ?? 0;
}

/**
 * SQL that is true if summaries of archived dates show this sleep. The sleep's copies may end up to two days earlier or
 * later.
 */
const IS_SELECTED = `exists (
  select from night_source k
   where k.user_key = $1 and k.figure_group = 'sleep' and k.source_id = main.source_id
     and k.wake_date between main.wake_date - 2 and main.wake_date + 2)`;

const REMOVE = `
with ${nightsWithout(IS_ARCHIVED_AS_NAP, { date: ARCHIVED_DATE, isFirst: IS_SELECTED })}, gone as (
  delete from sample s
   using ${SAMPLE_KEY.unnested(5)}
   where s.user_key = $1 and s.type_id = $3::int2 and ${SAMPLE_KEY.matched('s')}
  returning s.source_id, s.start_at, s.value
), slept as (
  insert into night_archive as stored (user_key, wake_date, night_source_id, type_id, source_id, asleep_count, asleep_sum,
                                       window_count, window_sum)
  select $1, night.wake_date, night.night_source_id, $3::int2, totals.*
    from night
   cross join lateral (
     select source_id, count(*) filter (where is_asleep), coalesce(sum(value) filter (where is_asleep), 0), count(*),
            sum(value)
       from (select source_id, value, start_at <@ night.asleep as is_asleep
               from gone
              where start_at >= night.start_at and start_at < night.end_at
              order by start_at, source_id) measured
      group by source_id
   ) totals
  on conflict (user_key, wake_date, night_source_id, type_id, source_id) do update
     set asleep_count = stored.asleep_count + excluded.asleep_count,
         asleep_sum = stored.asleep_sum + excluded.asleep_sum,
         window_count = stored.window_count + excluded.window_count,
         window_sum = stored.window_sum + excluded.window_sum
), trained as (
  update workout w
     set archived_heart_rate_count = w.archived_heart_rate_count + measured.count,
         archived_heart_rate_sum = w.archived_heart_rate_sum + measured.sum,
         archived_heart_rate_max = greatest(w.archived_heart_rate_max, measured.max)
    from (select o.id, count(*) as count, sum(gone.value) as sum, max(gone.value) as max
            from gone
            join workout o on o.user_key = $1 and o.source_id = gone.source_id
                          and gone.start_at >= o.start_at and gone.start_at < o.end_at
           where $4::boolean
           group by o.id) measured
   where w.user_key = $1 and w.id = measured.id
)
select count(*)::int4 as removed from gone`;
