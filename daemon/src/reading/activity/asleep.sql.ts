import { statement } from '../../database/index.js';
import { nearestOffset } from '../nearest-offset.js';

/** One night or nap of any source, with the wall clock it happened on. */
export interface SleptRow {
  /** Start and end of a session without stages, null of others. */
  start_at: Date | null;
  end_at: Date | null;
  /** Start and end of each stretch asleep in turn, in milliseconds since 1970, with commas; null without stages. */
  asleep_spans: string | null;
  offset_minutes: number;
}

/**
 * Nights and naps that may touch the given days, by index on (user_key, wake_date): with stages, or with time asleep; a
 * session of which only time in bed is known says nothing. A missing offset comes from the user's
 * timeline: the nearest known one within 36 hours, else UTC. Parameters: user, first date, last date.
 */
export const sleptSessions = statement(
  'activity_slept',
  `select case when n.asleep_spans is null then n.start_at end as start_at,
     case when n.asleep_spans is null then n.end_at end as end_at, array_to_string(n.asleep_spans, ',') as asleep_spans,
     coalesce(n.offset_minutes, near.offset_minutes, 0) as offset_minutes
   from sleep_session n
   left join lateral (
     ${nearestOffset('n.end_at', 'n.offset_minutes is null')}
   ) near on true
   where n.user_key = $1 and n.wake_date between $2::date and $3::date + 1
     and (n.asleep_spans is not null or n.asleep_seconds > 0)`,
);
