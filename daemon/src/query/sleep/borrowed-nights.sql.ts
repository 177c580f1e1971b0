import { seriesTypeByCode } from '@healthd/model';
import { sampleKind, statement } from '../../platform/database/index.js';

const HEART_RATE = seriesTypeByCode('heart_rate').id;
const OXYGEN = seriesTypeByCode('oxygen_saturation').id;
const VARIABILITY = ['heart_rate_variability_sdnn', 'heart_rate_variability_rmssd'] as const;
const VARIABILITY_IDS = VARIABILITY.map((code) => seriesTypeByCode(code).id).join(', ');

/**
 * What providers without a night of their own measured in the nights of others, as rows of `nightValues`: a watch that was
 * worn beside the device that recorded the sleep. Days with data are found in day_value; only for those one range of the
 * primary key of `sample` is read, for each night and series. What is no measurement is left out, as in `night_value`;
 * where samples were archived nothing is known, because a part of a night is not its mean. Readings awake do not count: those
 * of one provider must not stand before another's readings asleep.
 * Whole-night values are read from around the night; heart rates, which are dense and have none, from inside of it.
 * Parameters: user, then arrays: date of waking, type, source of the night.
 */
export const borrowedNightValues = statement(
  'sleep_borrowed_night_values',
  `select asked.wake_date, measured_by.provider, asked.type_id, false as is_dated, totals.*
   from unnest($2::date[], $3::int2[], $4::int4[]) as asked(wake_date, type_id, lender)
   cross join lateral (
     select distinct s.provider
     from day_value v join data_source s on s.user_key = $1 and s.source_id = v.source_id
     where v.user_key = $1 and v.type_id = asked.type_id
       and v.local_date between asked.wake_date - 3 and asked.wake_date + 1 and v.sample_count + v.aggregate_count > 0
       and not exists (select from sleep_session own
                         join data_source o on o.user_key = $1 and o.source_id = own.source_id
                        where own.user_key = $1 and own.wake_date = asked.wake_date and not own.is_nap
                          and o.provider = s.provider)
       and not exists (select from archived_minute gone
                        where gone.user_key = $1 and gone.type_id = asked.type_id and gone.source_id = v.source_id
                          and gone.utc_date between asked.wake_date - 3 and asked.wake_date + 1)
   ) measured_by
   cross join lateral (
     select min(n.start_at) as start_at, max(n.end_at) as end_at,
       coalesce(range_agg(stages.asleep), range_agg(tstzrange(n.start_at, n.end_at))) as asleep
     from sleep_session n
     cross join lateral (
       select range_agg(tstzrange((stage ->> 'start_time')::timestamptz, (stage ->> 'end_time')::timestamptz)) as asleep
       from jsonb_array_elements(n.stages) as stage
       where stage ->> 'stage' in ('light', 'deep', 'rem', 'sleeping')
     ) stages
     where n.user_key = $1 and n.wake_date = asked.wake_date and n.source_id = asked.lender and not n.is_nap
   ) night
   cross join lateral (
     select count(*) filter (where kind = 0 and is_asleep)::int4 as asleep_count,
       coalesce(sum(value) filter (where kind = 0 and is_asleep), 0) as asleep_sum,
       0 as window_count, 0 as window_sum,
       count(*) filter (where kind = 2)::int4 as aggregate_count,
       coalesce(sum(value) filter (where kind = 2), 0) as aggregate_sum
     from (
       select ${sampleKind('m.')} as kind, m.start_at <@ night.asleep as is_asleep,
         case when m.type_id = ${OXYGEN} and m.value <= 1 then m.value * 100 else m.value end as value
       from sample m
       where m.user_key = $1 and m.type_id = asked.type_id
         and m.start_at >= night.start_at - case when asked.type_id = ${HEART_RATE} then interval '0' else interval '1 hour' end
         and m.start_at < night.end_at + case when asked.type_id = ${HEART_RATE} then interval '0' else interval '6 hours' end
         and m.source_id = any (array(select source_id from data_source
                                      where user_key = $1 and provider = measured_by.provider))
       order by m.start_at, m.source_id
     ) measured
     where case when asked.type_id = ${OXYGEN} then value between 50 and 100
       when asked.type_id in (${VARIABILITY_IDS}) then value between 1 and 400 else true end
   ) totals`,
);
