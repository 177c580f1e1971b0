import { MS_PER_DAY, type ProviderId } from '@healthd/model';
import type { StoredSources } from '../sources/stored-source.js';
import { storableText } from '../storable-text.js';
import type { WorkoutRow } from './workouts.js';

/**
 * Maximum distance of a reading from its workout. Readings may lie outside the workout, for example if its end was
 * unknown.
 */
export const READINGS_REACH_MS = MS_PER_DAY;

/** Providers whose readings have no device, although their workouts have a device. */
const READINGS_WITHOUT_DEVICE: ReadonlySet<ProviderId> = new Set(['garmin']);

/** True if readings of a provider's workouts belong to their workout's source. */
export function readingsHaveSource(provider: ProviderId): boolean {
  return !READINGS_WITHOUT_DEVICE.has(provider);
}

/** True if the workout's id is unique among all sources of its writer. */
export function isShared({ idScope, externalId }: WorkoutRow): boolean {
  return idScope === 'writer' && externalId !== undefined;
}

/** A stored workout with the id of an arriving workout. */
export interface SharedWorkout {
  id: string;
  sourceId: number;
  externalId: string;
  startMs: number;
  endMs: number;
}

/** Returns a function that names a workout by its writer and id. */
export function workoutNames(sources: StoredSources): (workout: Pick<WorkoutRow, 'sourceId' | 'externalId'>) => string {
  const writers = new Map(
    [...sources.values()].map(({ source_id, provider, writer, account }) => [
      source_id,
      JSON.stringify([provider, writer, account]),
    ]),
  );
  return ({ sourceId, externalId = '' }) => `${writers.get(sourceId)} ${storableText(externalId)}`;
}

/**
 * Returns the source of each workout, by workout name: the last source with a device, otherwise the first source.
 * Considers stored and arriving items.
 */
export function chosenSources(
  sources: StoredSources,
  rows: readonly WorkoutRow[],
  stored: readonly SharedWorkout[],
): Map<string, number> {
  const nameOf = workoutNames(sources);
  const models = new Map([...sources.values()].map((source) => [source.source_id, source.device_model]));
  const chosen = new Map<string, number>();
  for (const item of [...stored, ...rows.filter(isShared)]) {
    const name = nameOf(item);
    if (!chosen.has(name) || models.get(item.sourceId) !== null) chosen.set(name, item.sourceId);
  }
  return chosen;
}
