import type { HealthRecord, WorkoutRecord } from '@healthd/model';
import { WORKOUT_FIELDS, type WorkoutField } from '../provider.js';

const MEMBERS: Readonly<Record<Exclude<WorkoutField, 'energy_burned'>, keyof WorkoutRecord>> = {
  average_cadence: 'averageCadence',
  average_speed: 'averageSpeed',
  average_watts: 'averageWatts',
  distance: 'distanceMeters',
  elev_high: 'elevationHighMeters',
  elev_low: 'elevationLowMeters',
  heart_rate_avg: 'heartRateAvg',
  heart_rate_max: 'heartRateMax',
  heart_rate_min: 'heartRateMin',
  max_speed: 'maxSpeed',
  max_watts: 'maxWatts',
  moving_time_seconds: 'movingSeconds',
  steps_count: 'stepsCount',
  total_elevation_gain: 'elevationGainMeters',
};

/**
 * Returns the fields that these workouts fill, in the contract's order. `energy` is the member that the adapter fills:
 * active energy, or total energy if the vendor reports only that.
 */
export function filledWorkoutFields(
  records: readonly HealthRecord[],
  energy: 'caloriesKcal' | 'totalCaloriesKcal' = 'caloriesKcal',
): WorkoutField[] {
  const workouts = records.filter((record): record is WorkoutRecord => record.kind === 'workout');
  const members = { ...MEMBERS, energy_burned: energy };
  return WORKOUT_FIELDS.filter((field) => workouts.some((workout) => workout[members[field]] !== undefined));
}
