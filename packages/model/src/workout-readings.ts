import type { ProviderId } from './providers.js';
import type { WorkoutRecord } from './record.js';
import { hashOfId, NO_ID } from './sample-slot.js';
import { seriesTypeIds } from './series.js';

/** Series of places, which nothing but workouts brings. */
export const PLACE_TYPE_IDS: readonly number[] = seriesTypeIds(['elevation', 'latitude', 'longitude']);

/** Series of samples that can belong to a workout: what was measured during it, and values for the whole of it. */
export const READING_TYPE_IDS: readonly number[] = [
  ...PLACE_TYPE_IDS,
  ...seriesTypeIds([
    'heart_rate',
    'speed',
    'cadence',
    'power',
    'air_temperature',
    'running_stride_length',
    'running_vertical_oscillation',
    'running_ground_contact_time',
    'average_met',
    'weather_temperature',
    'weather_humidity',
    'vo2_max',
  ]),
];

/** How the ids of readings begin, where they are not those of their workouts. */
const ID_PREFIXES: Partial<Record<ProviderId, string>> = {
  garmin: 'activityDetails/',
  polar: 'exercise/',
  strava: 'activity/',
  suunto: 'workout/',
};

/** Hashes of what the readings of all workouts of a provider had as their id before it named the workout. */
const SHARED_ID_HASHES: Partial<Record<ProviderId, number>> = {
  garmin: hashOfId('activityDetails'),
  strava: NO_ID,
};

/** What distinguishes a workout from the others of its provider. */
export type WorkoutFacts = Pick<WorkoutRecord, 'externalId' | 'startMs' | 'endMs'> & { type: string };

/** What the values for a whole workout are known by: the workout's id, or what distinguishes it without one. */
export function workoutIdentity({ externalId, type, startMs, endMs }: WorkoutFacts): string {
  return externalId ?? `${type} ${startMs} ${endMs}`;
}

/** The id of what was measured during the workout of a provider with this id. */
export function readingsId(provider: ProviderId, workoutId: string): string {
  return `${ID_PREFIXES[provider] ?? ''}${workoutId}`;
}

/** The same of a workout that may have no id. Exports know whole seconds alone. */
export function readingsIdOf(provider: ProviderId, { externalId, type, startMs, endMs }: WorkoutFacts): string {
  return readingsId(provider, externalId ?? `${type} ${Math.floor(startMs / 1000)} ${Math.floor(endMs / 1000)}`);
}

/** The hashes of the ids of all samples that belong to a workout. */
export function readingHashes(provider: ProviderId, workout: WorkoutFacts): number[] {
  return [...new Set([readingsIdOf(provider, workout), workoutIdentity(workout)])].map(hashOfId);
}

/**
 * The hash of an id, or {@link NO_ID}, of readings that belong to the workout during which they were measured; undefined for
 * providers whose readings always named their workout.
 */
export function sharedReadingHash(provider: ProviderId): number | undefined {
  return SHARED_ID_HASHES[provider];
}
