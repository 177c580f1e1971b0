import { sampleKind, statement } from '../../platform/database/index.js';
import { nearestOffset } from '../nearest-offset.js';

/** Sums of one (date, provider, series) where the roll-ups do not settle it. */
export interface ReadingsRow {
  position: number;
  aggregate_count: number;
  aggregate_sum: number | null;
  asleep_count: number;
  asleep_sum: number | null;
  window_count: number;
  window_sum: number | null;
  stamped_count: number;
  stamped_sum: number | null;
  day_aggregate_count: number;
  day_aggregate_sum: number | null;
  local_count: number;
  local_sum: number | null;
}

/**
 * One range of the sample's primary key per question: the night with its margins and the local day.
 * - asleep, window: ordinary samples while asleep and between going to bed and getting up;
 * - aggregate: values that the vendor gives for the whole night;
 * - stamped: samples stamped with the date, and where the provider measures once a night those near it;
 * - day aggregate, local: what is left of the local date and belongs to no other night, by the vendor or by readings.
 * The night is that of the provider, or of the one source that `lender` names. Saturation given as a fraction becomes
 * percent, and what is no measurement is left out, as in `night_value`.
 * Parameters: user, type id of saturation, type ids of variability, then arrays: type, provider, date, start and end of
 * the night or null, lender or null, whether it measures once a night, the other nights as a multirange, without and with
 * the margins within which a value for a whole night is stamped.
 */
export const recoveryReadings = statement(
  'recovery_readings',
  `select asked.position, totals.*
   from unnest($4::int2[], $5::text[], $6::date[], $7::timestamptz[], $8::timestamptz[], $9::int4[], $10::boolean[],
     $11::text[], $12::text[]) with ordinality
     as asked(type_id, provider, date, night_from, night_to, lender, nightly, others, others_near, position)
   cross join lateral (
     select coalesce(range_agg(staged.asleep), range_agg(tstzrange(n.start_at, n.end_at)), '{}') as asleep
     from sleep_session n
     join data_source s on s.user_key = $1 and s.source_id = n.source_id
     cross join lateral (
       select range_agg(tstzrange((stage ->> 'start_time')::timestamptz, (stage ->> 'end_time')::timestamptz)) as asleep
       from jsonb_array_elements(n.stages) as stage
       where stage ->> 'stage' in ('light', 'deep', 'rem', 'sleeping')
     ) staged
     where n.user_key = $1 and n.wake_date = asked.date and not n.is_nap
       and (case when asked.lender is null then s.provider = asked.provider else s.source_id = asked.lender end)
   ) slept
   cross join lateral (
     select count(*) filter (where kind = 2 and belongs) as aggregate_count,
       sum(value) filter (where kind = 2 and belongs) as aggregate_sum,
       count(*) filter (where kind = 0 and unshifted and is_asleep) as asleep_count,
       sum(value) filter (where kind = 0 and unshifted and is_asleep) as asleep_sum,
       count(*) filter (where kind = 0 and unshifted and in_window) as window_count,
       sum(value) filter (where kind = 0 and unshifted and in_window) as window_sum,
       count(*) filter (where kind <> 2 and dated) as stamped_count,
       sum(value) filter (where kind <> 2 and dated) as stamped_sum,
       count(*) filter (where kind = 2 and left_over) as day_aggregate_count,
       sum(value) filter (where kind = 2 and left_over) as day_aggregate_sum,
       count(*) filter (where kind = 0 and left_over) as local_count,
       sum(value) filter (where kind = 0 and left_over) as local_sum
     from (
       select kind, value, in_window, is_asleep,
         case when is_stamped then stamp_date = asked.date else asked.nightly and near_night end as dated,
         not is_stamped or stamp_date = asked.date as unshifted,
         not is_stamped and local_date = asked.date and not elsewhere and not (kind = 2 and near_night) as left_over,
         case when is_stamped then stamp_date = asked.date else near_night end as belongs
       from (
         select ${sampleKind('m.')} as kind, m.start_at,
           case when m.type_id = $2::int2 and m.value <= 1 then m.value * 100 else m.value end as value,
           ${sampleKind('m.')} = 1 or coalesce(m.offset_minutes is null and m.start_at = midnight.at, false) as is_stamped,
           (m.start_at at time zone 'UTC' + coalesce(m.offset_minutes, case when m.start_at = midnight.at then 0
             else coalesce(near.offset_minutes, 0) end) * interval '1 minute')::date as stamp_date,
           (m.start_at at time zone 'UTC' + coalesce(m.offset_minutes, near.offset_minutes, 0) * interval '1 minute')::date
             as local_date,
           coalesce(m.start_at >= asked.night_from and m.start_at < asked.night_to, false) as in_window,
           coalesce(m.start_at >= asked.night_from - interval '1 hour'
             and m.start_at < asked.night_to + interval '6 hours', false) as near_night,
           m.start_at <@ slept.asleep as is_asleep,
           m.start_at <@ (case when ${sampleKind('m.')} = 2 then asked.others_near else asked.others end)::tstzmultirange as elsewhere
         from sample m
         cross join lateral (
           select date_trunc('day', m.start_at at time zone 'UTC') at time zone 'UTC' as at
         ) midnight
         left join lateral (
           ${nearestOffset('m.start_at', 'm.offset_minutes is null')}
         ) near on true
         where m.user_key = $1 and m.type_id = asked.type_id
           and m.start_at >= least(asked.date - interval '14 hours', asked.night_from - interval '1 hour')
           and m.start_at < greatest(asked.date + interval '36 hours', asked.night_to + interval '6 hours')
           and m.source_id = any (array(select source_id from data_source
                                        where user_key = $1 and provider = asked.provider))
         order by m.start_at, m.source_id
       ) placed
       where case when asked.type_id = $2::int2 then value between 50 and 100
         when asked.type_id = any ($3::int2[]) then value between 1 and 400 else true end
     ) measured
   ) totals
   order by asked.position`,
);
