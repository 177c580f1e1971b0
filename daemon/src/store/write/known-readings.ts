import {
  hashOfSlot,
  NO_ID,
  PLACE_TYPE_IDS,
  type ProviderId,
  READING_TYPE_IDS,
  type RecordBatch,
  readingHashes,
  sharedReadingHash,
} from '@healthd/model';
import { READINGS_REACH_MS } from '../facts/events/workout-sources.js';
import { NO_SLOT, type SampleRows } from '../facts/samples/sample-rows.js';
import { storableText } from '../facts/storable-text.js';
import type { BatchContext } from './load-context.js';
import { storedWorkout, WORKOUT_FACTS, type WorkoutFactsRow } from './workout-readings.js';

/** Series that devices measure beside workouts too. */
const ALL_DAY: ReadonlySet<number> = new Set(READING_TYPE_IDS.filter((typeId) => !PLACE_TYPE_IDS.includes(typeId)));

/**
 * Tells samples that belong to a workout of the batch, or to one that is stored around its samples, from those that were
 * measured beside it.
 */
export async function readingsOfWorkouts(
  { client, userKey, sources }: BatchContext,
  rows: SampleRows,
  records: RecordBatch['records'],
): Promise<(rows: SampleRows, at: number) => boolean> {
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < rows.length; row++) {
    if (!ALL_DAY.has(rows.typeId[row] as number)) continue;
    fromMs = Math.min(fromMs, rows.startMs[row] as number);
    toMs = Math.max(toMs, rows.startMs[row] as number);
  }
  if (fromMs > toMs) return () => false;
  const { rows: stored } = await client.query<WorkoutFactsRow>(
    `select ${WORKOUT_FACTS} from workout s
      where s.user_key = $1 and s.start_at <= to_timestamp($3::float8 / 1000) and s.end_at >= to_timestamp($2::float8 / 1000)`,
    [userKey, fromMs - READINGS_REACH_MS, toMs + READINGS_REACH_MS],
  );
  const providers = new Map([...sources.values()].map((source) => [source.source_id, source.provider]));
  const hashes = new Map<ProviderId, Set<number>>();
  const add = (provider: ProviderId, workout: Parameters<typeof readingHashes>[1]) => {
    const shared = sharedReadingHash(provider);
    const known = hashes.get(provider) ?? new Set(shared === undefined ? [] : [shared]);
    for (const hash of readingHashes(provider, workout)) known.add(hash);
    hashes.set(provider, known);
  };
  for (const workout of stored.map(storedWorkout)) {
    const provider = providers.get(workout.sourceId);
    if (provider) add(provider, workout);
  }
  for (const record of records) {
    if (record.kind !== 'workout') continue;
    const { externalId } = record;
    add(record.source.provider, {
      ...record,
      externalId: externalId === undefined ? undefined : storableText(externalId),
    });
  }
  if (hashes.size === 0) return () => false;
  return (samples, at) => {
    const slot = samples.slot[at] as number;
    const provider = providers.get(samples.sourceId[at] as number);
    if (!provider || !ALL_DAY.has(samples.typeId[at] as number)) return false;
    return hashes.get(provider)?.has(slot === NO_SLOT ? NO_ID : hashOfSlot(slot)) === true;
  };
}
