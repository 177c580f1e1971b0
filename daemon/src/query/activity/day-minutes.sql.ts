import { statement } from '../../platform/database/index.js';

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
 * database. A histogram is taken apart in a select list, which keeps no copy of it as a function in `from` does, and
 * most of it is below the zones.
 * Parameters: user, then arrays: dates, source ids, first bin of light, last bins of light and of moderate.
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
     select coalesce(sum(seconds::float8) filter (where bin <= light_to), 0) as light,
       coalesce(sum(seconds::float8) filter (where bin > light_to and bin <= moderate_to), 0) as moderate,
       coalesce(sum(seconds::float8) filter (where bin > moderate_to), 0) as vigorous
     from (select unnest(m.heart_rate_bins) as bin, unnest(m.heart_rate_seconds) as seconds) histogram
     where bin >= light_from
   ) zone on cardinality(m.heart_rate_bins) > 0`,
);
