import { chosenSources, isShared, type SharedWorkout, workoutNames } from '../facts/events/workout-sources.js';
import type { WorkoutRow } from '../facts/events/workouts.js';
import type { StoredSources } from '../facts/sources/stored-source.js';

/** Workouts with their sources, and stored workouts that move to another source. */
export interface PlacedWorkouts {
  rows: WorkoutRow[];
  moved: { id: string; sourceId: number }[];
}

/**
 * Assigns one source to each workout whose id is unique for its writer: the last source with a device. Moves a stored
 * workout to that source, unless its readings are stored under its current source, because a workout and its readings
 * belong to one source.
 * @param stored workouts with the id of a row
 * @param withReadings ids of stored workouts that have readings under their current source after the batch
 */
export function placedWorkouts(
  sources: StoredSources,
  rows: readonly WorkoutRow[],
  stored: readonly SharedWorkout[],
  withReadings: ReadonlySet<string>,
): PlacedWorkouts {
  const nameOf = workoutNames(sources);
  const chosen = chosenSources(sources, rows, stored);
  const arriving = new Set(rows.filter(isShared).map(nameOf));
  for (const item of stored) {
    const name = nameOf(item);
    if (arriving.has(name) && withReadings.has(item.id)) chosen.set(name, item.sourceId);
  }
  const isThere = new Set(stored.map((item) => `${item.sourceId} ${item.externalId}`));
  const moved: PlacedWorkouts['moved'] = [];
  for (const item of stored) {
    const sourceId = chosen.get(nameOf(item));
    const key = `${sourceId} ${item.externalId}`;
    if (sourceId === undefined || isThere.has(key)) continue;
    isThere.add(key);
    moved.push({ id: item.id, sourceId });
  }
  return {
    rows: rows.map((row) => (isShared(row) ? { ...row, sourceId: chosen.get(nameOf(row)) ?? row.sourceId } : row)),
    moved,
  };
}
