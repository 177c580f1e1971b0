/**
 * SQL for the wall clock of a record that came without an offset: the nearest one the user's data showed within 36
 * hours. It must agree with the timeline by which records are placed on local days; of two equally near offsets the
 * one seen later counts, then the one further ahead of UTC. To be used in a lateral join; no row means UTC.
 * @param instant SQL expression of the instant
 * @param needed SQL condition under which the look-up is made at all
 */
export function nearestOffset(instant: string, needed: string): string {
  return `
    select o.offset_minutes from offset_day o
    where ${needed} and o.user_key = $1
      and o.utc_date between (${instant} at time zone 'UTC')::date - 2 and (${instant} at time zone 'UTC')::date + 2
      and o.first_at <= ${instant} + interval '36 hours' and o.last_at >= ${instant} - interval '36 hours'
    order by greatest(o.first_at - ${instant}, ${instant} - o.last_at, interval '0'), o.last_at desc, o.offset_minutes desc
    limit 1`;
}
