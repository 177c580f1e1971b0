import { nearestOffset } from '../nearest-offset.js';

/** One night or nap of any source, with the wall clock it happened on. */
export interface SleptRow {
  /** Start and end of each stretch asleep in turn, in milliseconds since 1970; without stages the whole is one. */
  asleep_spans: number[];
  offset_minutes: number;
}

/**
 * SQL for the nights and naps of user $1 that may touch the given days, by index on (user_key, wake_date). They have
 * stages or time asleep; a session of which only time in bed is known says nothing. A missing offset comes from the
 * user's timeline.
 */
export function sleptSessions(firstDate: string, lastDate: string): string {
  return `
    select coalesce(n.asleep_spans, array[
        extract(epoch from date_trunc('milliseconds', n.start_at)) * 1000,
        extract(epoch from date_trunc('milliseconds', n.end_at)) * 1000
      ]::float8[]) as asleep_spans,
      coalesce(n.offset_minutes, near.offset_minutes, 0) as offset_minutes
    from sleep_session n
    left join lateral (
      ${nearestOffset('n.end_at', 'n.offset_minutes is null')}
    ) near on true
    where n.user_key = $1 and n.wake_date between ${firstDate} and ${lastDate} + 1
      and (n.asleep_spans is not null or n.asleep_seconds > 0)`;
}
