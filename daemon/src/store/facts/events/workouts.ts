import { pushedIdKey, type WorkoutRecord } from '@healthd/model';
import type { EventColumn } from './event-columns.js';
import type { SessionKind } from './session-kind.js';

export interface WorkoutRow extends Omit<WorkoutRecord, 'kind' | 'source'> {
  sourceId: number;
  /** True if a push contains the workout. */
  isPushed?: true;
  /** Position in the batch. */
  index?: number;
}

type PlacedWorkout = WorkoutRow & { endDate: string };

const number = (name: string, value: (row: WorkoutRow) => number | undefined): EventColumn<PlacedWorkout> => ({
  name,
  type: 'double precision',
  value,
});
const iso = (ms: number) => new Date(ms).toISOString();

/** Workouts, identified by (source, external id), otherwise by (source, type, start, end). */
export const WORKOUTS: SessionKind<WorkoutRow> = {
  table: 'workout',
  // Uses the end date, because a day's elevation is the sum over the workouts that end on it.
  dateColumn: 'local_date',
  variantSql: 's.type',
  variant: ({ type }) => type,
  ownRows: 'true',
  // Keeps the first id, because the workout's readings are stored under it.
  rule: { differsByEnd: true, takesLaterId: false },
  columns: [
    { name: 'source_id', type: 'integer', value: ({ sourceId }) => sourceId },
    { name: 'external_id', type: 'text', value: ({ externalId }) => externalId },
    { name: 'type', type: 'text', value: ({ type }) => type },
    { name: 'name', type: 'text', value: ({ name }) => name },
    { name: 'start_at', type: 'timestamptz', value: ({ startMs }) => startMs },
    { name: 'end_at', type: 'timestamptz', value: ({ endMs }) => endMs },
    { name: 'offset_minutes', type: 'smallint', value: ({ offsetMinutes }) => offsetMinutes },
    { name: 'local_date', type: 'date', value: ({ endDate }) => endDate },
    number('duration_seconds', ({ durationSeconds }) => durationSeconds),
    number('moving_seconds', ({ movingSeconds }) => movingSeconds),
    number('distance_meters', ({ distanceMeters }) => distanceMeters),
    number('calories_kcal', ({ caloriesKcal }) => caloriesKcal),
    number('basal_calories_kcal', ({ basalCaloriesKcal }) => basalCaloriesKcal),
    number('total_calories_kcal', ({ totalCaloriesKcal }) => totalCaloriesKcal),
    {
      name: 'steps_count',
      type: 'integer',
      value: ({ stepsCount }) =>
        stepsCount !== undefined && Number.isFinite(stepsCount) ? Math.round(stepsCount) : undefined,
    },
    number('heart_rate_min', ({ heartRateMin }) => heartRateMin),
    number('heart_rate_avg', ({ heartRateAvg }) => heartRateAvg),
    number('heart_rate_max', ({ heartRateMax }) => heartRateMax),
    number('average_speed', ({ averageSpeed }) => averageSpeed),
    number('max_speed', ({ maxSpeed }) => maxSpeed),
    number('average_watts', ({ averageWatts }) => averageWatts),
    number('max_watts', ({ maxWatts }) => maxWatts),
    number('average_cadence', ({ averageCadence }) => averageCadence),
    number('elevation_gain_meters', ({ elevationGainMeters }) => elevationGainMeters),
    number('elevation_low_meters', ({ elevationLowMeters }) => elevationLowMeters),
    number('elevation_high_meters', ({ elevationHighMeters }) => elevationHighMeters),
    { name: 'indoor', type: 'boolean', value: ({ indoor }) => indoor },
    { name: 'user_entered', type: 'boolean', value: ({ userEntered }) => userEntered },
    {
      name: 'events',
      type: 'jsonb',
      value: ({ events }) =>
        events?.map(({ type, startMs, durationSeconds, label, repetitions, distanceMeters }) => ({
          type,
          start_time: iso(startMs),
          duration_seconds: durationSeconds,
          label,
          repetitions,
          distance_meters: distanceMeters,
        })),
    },
    {
      name: 'activities',
      type: 'jsonb',
      value: ({ activities }) =>
        activities?.map(({ type, startMs, endMs, durationSeconds, distanceMeters }) => ({
          type,
          start_time: iso(startMs),
          end_time: endMs === undefined ? undefined : iso(endMs),
          duration_seconds: durationSeconds,
          distance_meters: distanceMeters,
        })),
    },
    { name: 'metadata', type: 'jsonb', value: ({ metadata }) => metadata, byMember: true },
    { name: 'pushed', type: 'boolean', value: ({ isPushed }) => isPushed, isInternal: true },
    {
      name: 'pushed_id',
      type: 'bigint',
      value: ({ isPushed, pushedId }) => (isPushed && pushedId !== undefined ? pushedIdKey(pushedId) : undefined),
      isInternal: true,
    },
  ],
};
