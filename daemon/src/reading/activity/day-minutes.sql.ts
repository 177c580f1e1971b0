import { statement } from '../../database/index.js';

/** Minutes of one day and source; seconds by zone are null where the source has no heart rate that day. */
export interface DayMinutesRow {
  local_date: string;
  source_id: number;
  heart_bits: Buffer | null;
  step_bits: Buffer | null;
  active_bits: Buffer | null;
  light_seconds: number | null;
  moderate_seconds: number | null;
  vigorous_seconds: number | null;
}

/**
 * One primary-key look-up in day_minutes per chosen (day, source); zones are cut here so that histograms stay in the
 * database. A bin is 2 × floor(bpm), plus 1 with a fraction, hence the doubled bounds.
 * Parameters: user, then arrays: dates, source ids, lower bound of light, upper bounds of light and of moderate.
 */
export const dayMinutes = statement(
  'activity_minutes',
  `select m.local_date, m.source_id, bit_send(m.heart_rate_minutes) as heart_bits,
     bit_send(m.step_minutes) as step_bits, bit_send(m.active_minutes) as active_bits,
     zone.light as light_seconds, zone.moderate as moderate_seconds, zone.vigorous as vigorous_seconds
   from unnest($2::date[], $3::int4[], $4::int4[], $5::int4[], $6::int4[])
     as chosen(local_date, source_id, light_from, light_to, moderate_to)
   join day_minutes m
     on m.user_key = $1 and m.local_date = chosen.local_date and m.source_id = chosen.source_id
   left join lateral (
     select coalesce(sum(seconds) filter (where bin between 2 * light_from and 2 * light_to), 0) as light,
       coalesce(sum(seconds) filter (where bin > 2 * light_to and bin <= 2 * moderate_to), 0) as moderate,
       coalesce(sum(seconds) filter (where bin > 2 * moderate_to), 0) as vigorous
     from unnest(m.heart_rate_bins, m.heart_rate_seconds::float8[]) as histogram(bin, seconds)
     having count(*) > 0
   ) zone on true`,
);
