import { hasPace, isWorkoutType, round } from '@healthd/model';

const SHORTEST_METERS = 50;

/**
 * Whole seconds per kilometre: time moving, else the workout's duration, over its distance. Null below 50 m, without a
 * time, and for types of which a pace says nothing.
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
