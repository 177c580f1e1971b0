import type { WorkoutDetail } from '@healthd/schemas';
import { sampleKind, statement } from '../../platform/database/index.js';
import type { RuleWorkout } from '../selection/workout-copies.js';
import { SOURCE_COLUMNS, type SourceRow } from '../sources.js';
import { EventList } from './event-list.js';

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
  basal_calories_kcal: number | null;
  total_calories_kcal: number | null;
  heart_rate_avg: number | null;
  heart_rate_max: number | null;
  elevation_gain_meters: number | null;
  steps_count: number | null;
  heart_rate_min: number | null;
  average_speed: number | null;
  max_speed: number | null;
  average_watts: number | null;
  max_watts: number | null;
  average_cadence: number | null;
  elevation_low_meters: number | null;
  elevation_high_meters: number | null;
  user_entered: boolean | null;
  intensity: string | null;
}

const COLUMNS = `w.id, w.type, w.name, w.start_at, w.end_at, w.offset_minutes, w.duration_seconds, w.moving_seconds,
  w.distance_meters, w.calories_kcal, w.basal_calories_kcal, w.total_calories_kcal, w.heart_rate_avg, w.heart_rate_max, w.elevation_gain_meters,
  w.steps_count, w.heart_rate_min, w.average_speed, w.max_speed, w.average_watts, w.max_watts, w.average_cadence,
  w.elevation_low_meters, w.elevation_high_meters, w.user_entered, w.metadata ->> 'intensity' as intensity`;

/** Parameters: user, from, before, pattern or null, source ids or null. */
const SELECTED = `w.user_key = $1 and w.start_at >= $2::timestamptz and w.start_at < $3::timestamptz
  and ($4::text is null or w.type ilike $4) and ($5::int4[] is null or w.source_id = any ($5::int4[]))`;

export const workoutList = new EventList<WorkoutRow>({
  name: 'workouts',
  table: 'workout',
  alias: 'w',
  columns: COLUMNS,
  selected: SELECTED,
  filterCount: 2,
});

/** Data that finds the copies of a workout. */
export interface WorkoutSpan extends RuleWorkout {
  id: string;
}

/** By index on (user_key, start_at, id). Parameters: the parameters of {@link SELECTED}, limit. */
export const workoutSpans = statement(
  'workout_spans',
  `select w.id, w.source_id, w.type, w.start_at, w.end_at from workout w
   where ${SELECTED} order by w.start_at, w.id limit $6`,
);

/**
 * Reads mean and highest heart rate of the workout's source in `[start, end)`, for workouts without these figures. Each
 * workout is a range of the sample's primary key. Includes archived samples. The highest rate is null for workouts that
 * were archived before it was stored.
 * Parameters: user, ids, type id of heart rate.
 */
export const workoutHeartRates = statement(
  'workouts_heart_rate',
  `select w.id, measured.mean, measured.highest from workout w
   cross join lateral (
     select (w.archived_heart_rate_sum + coalesce(sum(h.value), 0)) / nullif(w.archived_heart_rate_count + count(*), 0)
       as mean, case when w.archived_heart_rate_count = 0 or w.archived_heart_rate_max is not null
         then greatest(w.archived_heart_rate_max, max(h.value)) end as highest
     from sample h
     where h.user_key = $1 and h.type_id = $3::int2 and h.start_at >= w.start_at and h.start_at < w.end_at
       and h.source_id = w.source_id and ${sampleKind('h.')} = 0
   ) measured
   where w.user_key = $1 and w.id = any ($2::uuid[]) and measured.mean is not null`,
);

/** All stored data of a workout. Instants inside `events` and `activities` are ISO 8601. */
export interface WorkoutDetailRow extends WorkoutRow {
  indoor: boolean | null;
  events:
    | {
        type: string;
        start_time: string;
        duration_seconds?: number;
        label?: string;
        repetitions?: number;
        distance_meters?: number;
      }[]
    | null;
  activities:
    | { type: string; start_time: string; end_time?: string; duration_seconds?: number; distance_meters?: number }[]
    | null;
  metadata: WorkoutDetail['metadata'] | null;
}

/** By primary key. Parameters: user, id. */
export const workoutById = statement(
  'workout_by_id',
  `select ${COLUMNS}, w.indoor, w.events, w.activities, w.metadata, ${SOURCE_COLUMNS}
   from workout w join data_source s on s.user_key = $1 and s.source_id = w.source_id
   where w.user_key = $1 and w.id = $2::uuid`,
);
