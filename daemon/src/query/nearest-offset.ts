import { FALLBACK_ZONE } from '../store/facts/index.js';

/**
 * Returns SQL for the UTC offset of a record without an offset. Uses the same order of evidence as `OffsetTimeline`,
 * which places records on local days, because both must agree. For a lateral join, with the user as `$1`. Null means
 * UTC. The condition is inside the expression, because a `where` would become a join condition, and Postgres would look
 * up every row's offset first.
 * @param instant SQL expression of the instant
 * @param needed SQL condition for the look-up
 */
export function nearestOffset(instant: string, needed: string): string {
  const date = `(${instant} at time zone 'UTC')::date`;
  const offset = `coalesce(zone_offset_minutes(o.zone, ${instant}), o.offset_minutes)`;
  // Between equally near offsets, the later observation wins, then the offset further ahead of UTC.
  const nearestFirst = `order by greatest(o.first_at - ${instant}, ${instant} - o.last_at, interval '0'), o.last_at desc, o.offset_minutes desc`;
  return `
    select case when ${needed} then coalesce((
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
    )) end as offset_minutes`;
}
