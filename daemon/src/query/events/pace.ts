import { hasPace, isWorkoutType, round } from '@healthd/model';

const SHORTEST_METERS = 50;

/**
 * Returns whole seconds per kilometer from the moving time, otherwise from the duration. Null below 50 m, without a time,
 * and for workout types without a meaningful pace.
 */
export function paceSecondsPerKm(workout: {
  type: string;
  distanceMeters: number | null;
  movingSeconds: number | null;
  durationSeconds: number | null;
}): number | null {
  const seconds = workout.movingSeconds ?? workout.durationSeconds;
  const meters = workout.distanceMeters;
  if (seconds === null || seconds <= 0 || meters === null || meters < SHORTEST_METERS) return null;
  if (!isWorkoutType(workout.type) || !hasPace(workout.type)) return null;
  return round((seconds / meters) * 1000);
}
