import type { WorkoutRecord } from '@healthd/model';

/** What the values for a whole workout are known by: the workout's id, or what distinguishes it without one. */
export function workoutIdentity({ externalId, type, startMs, endMs }: WorkoutRecord, itemId?: string): string {
  return externalId ?? itemId ?? `${type} ${startMs} ${endMs}`;
}
