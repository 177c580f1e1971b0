import { statement } from '../../database/index.js';
import { SOURCE_COLUMNS, type SourceRow } from '../sources.js';

export interface WorkoutRow extends SourceRow {
  id: string;
  type: string;
  name: string | null;
  start_at: Date;
  end_at: Date;
  offset_minutes: number | null;
  duration_seconds: number | null;
  moving_seconds: number | null;
  distance_meters: number | null;
  calories_kcal: number | null;
  heart_rate_avg: number | null;
  heart_rate_max: number | null;
  elevation_gain_meters: number | null;
}

const SELECTED = `w.user_key = $1 and w.start_at >= $2::timestamptz and w.start_at < $3::timestamptz
  and ($4::text is null or w.type ilike $4)`;

/**
 * One page by index on (user_key, start_at, id). Parameters: user, from, before, pattern or null, position (instant, id)
 * or nulls, limit + 1.
 */
function workoutPage(name: string, after: '>' | '<', order: 'asc' | 'desc') {
  return statement(
    name,
    `select w.id, w.type, w.name, w.start_at, w.end_at, w.offset_minutes, w.duration_seconds, w.moving_seconds,
       w.distance_meters, w.calories_kcal, w.heart_rate_avg, w.heart_rate_max, w.elevation_gain_meters, ${SOURCE_COLUMNS}
     from workout w join data_source s on s.user_key = $1 and s.source_id = w.source_id
     where ${SELECTED}
       and ($5::timestamptz is null or (w.start_at, w.id) ${after} ($5::timestamptz, $6::uuid))
     order by w.start_at ${order}, w.id ${order} limit $7`,
  );
}

/** Newest first, so that going on means going back in time. */
export const olderWorkouts = workoutPage('workouts_older', '<', 'desc');
export const newerWorkouts = workoutPage('workouts_newer', '>', 'asc');

/** Parameters: user, from, before, pattern or null. */
export const workoutCount = statement('workouts_count', `select count(*) as count from workout w where ${SELECTED}`);

/**
 * Mean heart rate of the workout's own source in `[start, end)`, for workouts that came without one: a range of the
 * sample's primary key each. Parameters: user, ids, type id of heart rate.
 */
export const workoutHeartRates = statement(
  'workouts_heart_rate',
  `select w.id, mean.bpm from workout w
   cross join lateral (
     select avg(h.value) as bpm from sample h
     where h.user_key = $1 and h.type_id = $3::int2 and h.start_at >= w.start_at and h.start_at < w.end_at
       and h.source_id = w.source_id and h.kind = 0
   ) mean
   where w.user_key = $1 and w.id = any ($2::uuid[]) and mean.bpm is not null`,
);
