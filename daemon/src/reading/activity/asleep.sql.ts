import { statement } from '../../database/index.js';
import { nearestOffset } from '../nearest-offset.js';

/** One stretch of sleep of any source, with the wall clock it happened on. */
export interface AsleepRow {
  start_at: Date;
  end_at: Date;
  offset_minutes: number;
}

/**
 * Asleep intervals of the nights and naps that may touch the given days, by index on (user_key, wake_date). A session
 * without stages counts whole, one of which only time in bed is known not at all. A missing offset comes from the
 * user's timeline: the nearest known one within 36 hours, else UTC.
 * Parameters: user, first date, last date.
 */
export const asleepIntervals = statement(
  'activity_asleep',
  `select slept.start_at, slept.end_at, coalesce(n.offset_minutes, near.offset_minutes, 0) as offset_minutes
   from sleep_session n
   cross join lateral (
     select n.start_at, n.end_at where n.stages is null and n.asleep_seconds > 0
     union all
     select (stage ->> 'start_time')::timestamptz, (stage ->> 'end_time')::timestamptz
     from jsonb_array_elements(n.stages) as stage
     where stage ->> 'stage' in ('sleeping', 'light', 'deep', 'rem')
   ) slept
   left join lateral (
     ${nearestOffset('n.end_at', 'n.offset_minutes is null')}
   ) near on true
   where n.user_key = $1 and n.wake_date between $2::date and $3::date + 1`,
);
