import type { ProviderId } from './providers.js';
import type { WorkoutRecord } from './record.js';
import { hashOfId, NO_ID } from './sample-slot.js';
import { seriesTypeIds } from './series.js';

/** Series of places, which only workouts contain. */
export const PLACE_TYPE_IDS: readonly number[] = seriesTypeIds(['elevation', 'latitude', 'longitude']);

/** Series that can belong to a workout: readings during it and values for the whole workout. */
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

/** Prefixes of reading ids that differ from the workout's id. */
const ID_PREFIXES: Partial<Record<ProviderId, string>> = {
  garmin: 'activityDetails/',
  polar: 'exercise/',
  strava: 'activity/',
  suunto: 'workout/',
};

/**
 * Hashes of the old reading ids, or {@link NO_ID}. All of a provider's workout readings shared one id, or had no id,
 * before the id contained the workout.
 */
const SHARED_ID_HASHES: Partial<Record<ProviderId, number>> = {
  garmin: hashOfId('activityDetails'),
  strava: NO_ID,
};

/** Facts that distinguish a workout from the provider's other workouts. */
export type WorkoutFacts = Pick<WorkoutRecord, 'externalId' | 'startMs' | 'endMs'> & { type: string };

/** Returns the id of values for a whole workout: the workout's id; for a workout without an id, its type and times. */
export function workoutIdentity({ externalId, type, startMs, endMs }: WorkoutFacts): string {
  return externalId ?? `${type} ${startMs} ${endMs}`;
}

/** Returns the id of readings measured during the provider's workout. */
export function readingsId(provider: ProviderId, workoutId: string): string {
  return `${ID_PREFIXES[provider] ?? ''}${workoutId}`;
}

/** Returns the readings id of a workout that may have no id. Exports contain whole seconds only. */
export function readingsIdOf(provider: ProviderId, { externalId, type, startMs, endMs }: WorkoutFacts): string {
  return readingsId(provider, externalId ?? `${type} ${Math.floor(startMs / 1000)} ${Math.floor(endMs / 1000)}`);
}

/** Returns the hashes of the ids of all samples that belong to a workout. */
export function readingHashes(provider: ProviderId, workout: WorkoutFacts): number[] {
  return [...new Set([readingsIdOf(provider, workout), workoutIdentity(workout)])].map(hashOfId);
}

/**
 * Returns the hash of the id, or {@link NO_ID}, that workout readings shared before ids contained the workout;
 * undefined for providers whose ids always contained it.
 */
export function sharedReadingHash(provider: ProviderId): number | undefined {
  return SHARED_ID_HASHES[provider];
}
