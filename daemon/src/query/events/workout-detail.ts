import type { SeriesCode } from '@healthd/model';
import type { WorkoutDetail } from '@healthd/schemas';
import type pg from 'pg';
import { instantText, wholeOrNull } from '../presentation.js';
import { samplesInside } from './session-samples.js';
import {
  copiesOf,
  measuredHeartRates,
  type WorkoutDetailRow,
  workout,
  workoutById,
  workoutOffsets,
} from './workouts.js';

/** Series that a workout's detail contains. */
const SHOWN: readonly SeriesCode[] = [
  'heart_rate',
  'speed',
  'cadence',
  'power',
  'elevation',
  'latitude',
  'longitude',
  'air_temperature',
  'running_speed',
  'running_power',
  'running_stride_length',
  'running_vertical_oscillation',
  'running_vertical_ratio',
  'running_ground_contact_time',
  'running_stance_time_balance',
  'swimming_stroke_count',
  'underwater_depth',
  'water_temperature',
];

/** Reads one workout with all stored data; undefined if the user has no workout with this id. */
export async function readWorkout(pool: pg.Pool, userKey: number, id: string): Promise<WorkoutDetail | undefined> {
  const row = (await pool.query<WorkoutDetailRow>(workoutById([userKey, id]))).rows[0];
  if (!row) return undefined;
  const [heartRates, localOffsetOf, samples, copies] = await Promise.all([
    measuredHeartRates(pool, userKey, [row]),
    workoutOffsets(pool, userKey, [row]),
    samplesInside(pool, userKey, row, SHOWN),
    copiesOf(pool, userKey, row),
  ]);
  return {
    ...workout(row, heartRates, localOffsetOf(row)),
    moving_seconds: wholeOrNull(row.moving_seconds),
    basal_calories_kcal: row.basal_calories_kcal,
    min_heart_rate_bpm: wholeOrNull(row.heart_rate_min),
    average_speed_m_per_s: row.average_speed,
    max_speed_m_per_s: row.max_speed,
    average_watts: row.average_watts,
    max_watts: row.max_watts,
    average_cadence_rpm: row.average_cadence,
    elevation_low_meters: row.elevation_low_meters,
    elevation_high_meters: row.elevation_high_meters,
    indoor: row.indoor,
    user_entered: row.user_entered,
    events: (row.events ?? []).map((event) => ({
      type: event.type,
      start_time: instantText(Date.parse(event.start_time)),
      duration_seconds: event.duration_seconds ?? null,
      label: event.label ?? null,
      repetitions: event.repetitions ?? null,
      distance_meters: event.distance_meters ?? null,
    })),
    activities: (row.activities ?? []).map((activity) => ({
      type: activity.type,
      start_time: instantText(Date.parse(activity.start_time)),
      end_time: activity.end_time === undefined ? null : instantText(Date.parse(activity.end_time)),
      duration_seconds: activity.duration_seconds ?? null,
      distance_meters: activity.distance_meters ?? null,
    })),
    metadata: row.metadata ?? {},
    duplicate_ids: copies,
    samples,
  };
}
