import { statement } from '../../database/index.js';
import { nearestOffset } from '../nearest-offset.js';

/** One night or nap of any source, with the wall clock it happened on. */
export interface SleptRow {
  start_at: Date;
  end_at: Date;
  asleep_seconds: number | null;
  /** Start and end of each stretch asleep in turn, in milliseconds since 1970; null without stages. */
  asleep_spans: number[] | null;
  offset_minutes: number;
}

/**
 * Nights and naps that may touch the given days, by index on (user_key, wake_date). A missing offset comes from the user's
 * timeline: the nearest known one within 36 hours, else UTC. Parameters: user, first date, last date.
 */
export const sleptSessions = statement(
  'activity_slept',
  `select n.start_at, n.end_at, n.asleep_seconds, n.asleep_spans,
     coalesce(n.offset_minutes, near.offset_minutes, 0) as offset_minutes
   from sleep_session n
   left join lateral (
     ${nearestOffset('n.end_at', 'n.offset_minutes is null')}
   ) near on true
   where n.user_key = $1 and n.wake_date between $2::date and $3::date + 1`,
);
