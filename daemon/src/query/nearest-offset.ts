import { FALLBACK_ZONE } from '../store/facts/index.js';

/**
 * SQL for the wall clock of a record that came without an offset, by the order of evidence of `OffsetTimeline`, which
 * places records on local days: both must agree. To be used in a lateral join, with the user as `$1`; no value means UTC.
 * @param instant SQL expression of the instant
 * @param needed SQL condition under which the look-up is made at all
 */
export function nearestOffset(instant: string, needed: string): string {
  const date = `(${instant} at time zone 'UTC')::date`;
  const offset = `coalesce(zone_offset_minutes(o.zone, ${instant}), o.offset_minutes)`;
  // When two are equally near, the one seen later counts, then the one further ahead of UTC.
  const nearestFirst = `order by greatest(o.first_at - ${instant}, ${instant} - o.last_at, interval '0'), o.last_at desc, o.offset_minutes desc`;
  return `
    select coalesce((
      select ${offset} from offset_day o
      where o.user_key = $1 and o.utc_date between ${date} - 2 and ${date} + 2
        and o.first_at <= ${instant} + interval '36 hours' and o.last_at >= ${instant} - interval '36 hours'
      ${nearestFirst} limit 1
    ), zone_offset_minutes(${FALLBACK_ZONE}, ${instant}), (
      select ${offset} from offset_day o
      where o.user_key = $1 and o.utc_date in (
        (select max(utc_date) from offset_day where user_key = $1 and utc_date <= ${date}),
        (select min(utc_date) from offset_day where user_key = $1 and utc_date > ${date}))
      ${nearestFirst} limit 1
    )) as offset_minutes
    where ${needed}`;
}
