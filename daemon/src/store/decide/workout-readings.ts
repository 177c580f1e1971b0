import {
  type HealthRecord,
  hashOfSlot,
  type Interval,
  isWithin,
  NO_ID,
  PLACE_TYPE_IDS,
  type ProviderId,
  READING_TYPE_IDS,
  type RecordBatch,
  readingHashes,
  sharedReadingHash,
  unionOf,
  type WorkoutFacts,
} from '@healthd/model';
import { READINGS_REACH_MS } from '../facts/events/workout-sources.js';
import { NO_SLOT, type SampleRows } from '../facts/samples/sample-rows.js';
import type { ResolvedSources } from '../facts/sources/resolved-source.js';
import { type StoredSource, type StoredSources, storedKey } from '../facts/sources/stored-source.js';
import { storableText } from '../facts/storable-text.js';
import type { Tombstone } from '../facts/tombstones.js';

const READINGS: ReadonlySet<number> = new Set(READING_TYPE_IDS);

/** Number of workouts processed between two yields to the event loop. */
const WORKOUTS_AT_ONCE = 500;

/** Series that devices also measure outside workouts. */
const ALL_DAY: ReadonlySet<number> = new Set(READING_TYPE_IDS.filter((typeId) => !PLACE_TYPE_IDS.includes(typeId)));

/** A stored workout row. */
export interface StoredWorkout extends WorkoutFacts {
  sourceId: number;
  offsetMinutes?: number;
}

/** A workout's stored span and its new span. */
export interface MovedWorkout {
  before: StoredWorkout;
  now: Pick<StoredWorkout, 'startMs' | 'endMs'>;
}

/** Returns the span in which stored workouts may own the rows as readings; undefined if no row may be a reading. */
export function spanOfReadings(rows: SampleRows): { fromMs: number; toMs: number } | undefined {
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < rows.length; row++) {
    if (!ALL_DAY.has(rows.typeId[row] as number)) continue;
    fromMs = Math.min(fromMs, rows.startMs[row] as number);
    toMs = Math.max(toMs, rows.startMs[row] as number);
  }
  return fromMs > toMs ? undefined : { fromMs: fromMs - READINGS_REACH_MS, toMs: toMs + READINGS_REACH_MS };
}

/** Distinguishes readings of workouts from other samples of the same time. */
export interface WorkoutReadings {
  /** Provider of each source. */
  providers: ReadonlyMap<number, ProviderId>;
  /** Hashes of the ids of a provider's workout readings. */
  hashes: ReadonlyMap<ProviderId, ReadonlySet<number>>;
}

/**
 * Identifies readings of the batch's workouts and of stored workouts.
 * @param stored workouts in {@link spanOfReadings}; undefined if no row may be a reading
 * @returns undefined if no sample is a reading
 */
export function* readingsOfWorkouts(
  stored: Iterable<StoredWorkout> | undefined,
  sources: StoredSources,
  records: RecordBatch['records'],
): Generator<void, WorkoutReadings | undefined> {
  if (stored === undefined) return undefined;
  const providers = new Map([...sources.values()].map((source) => [source.source_id, source.provider]));
  const hashes = new Map<ProviderId, Set<number>>();
  const add = (provider: ProviderId, workout: Parameters<typeof readingHashes>[1]) => {
    const shared = sharedReadingHash(provider);
    const known = hashes.get(provider) ?? new Set(shared === undefined ? [] : [shared]);
    for (const hash of readingHashes(provider, workout)) known.add(hash);
    hashes.set(provider, known);
  };
  let count = 0;
  for (const workout of stored) {
    if (count++ % WORKOUTS_AT_ONCE === 0) yield;
    const provider = providers.get(workout.sourceId);
    if (provider) add(provider, workout);
  }
  for (const [index, record] of records.entries()) {
    if (index % WORKOUTS_AT_ONCE === 0) yield;
    if (record.kind !== 'workout') continue;
    const { externalId } = record;
    add(record.source.provider, {
      ...record,
      externalId: externalId === undefined ? undefined : storableText(externalId),
    });
  }
  return hashes.size === 0 ? undefined : { providers, hashes };
}

/** True if a sample of an all-day series is a workout's reading. False for series that only workouts contain. */
export function isReading(readings: WorkoutReadings | undefined, samples: SampleRows, at: number): boolean {
  if (readings === undefined) return false;
  const slot = samples.slot[at] as number;
  const provider = readings.providers.get(samples.sourceId[at] as number);
  if (!provider || !ALL_DAY.has(samples.typeId[at] as number)) return false;
  return readings.hashes.get(provider)?.has(slot === NO_SLOT ? NO_ID : hashOfSlot(slot)) === true;
}

/**
 * Returns a function that is true for batch rows that are readings of workouts deleted here. Recognizes the readings by
 * id. These readings stay deleted too.
 * @param known `suppressed`: batch records that were deleted here
 */
export function suppressedReadings(
  { sources: providedSources, samples, records }: RecordBatch,
  known: {
    tombstones: readonly Tombstone[];
    suppressed: ReadonlySet<HealthRecord>;
    sources: ResolvedSources;
    stored: StoredSources;
  },
): (row: number) => boolean {
  /** Spans of deleted workouts' readings, by id hash and writer. */
  const spans = new Map<string, Interval[]>();
  const add = (provider: ProviderId, writerKey: string, workout: Parameters<typeof readingHashes>[1]) => {
    const { startMs, endMs } = workout;
    for (const hash of readingHashes(provider, workout)) {
      const key = `${hash} ${writerKey}`;
      const known = spans.get(key) ?? [];
      known.push([startMs - READINGS_REACH_MS, endMs + READINGS_REACH_MS]);
      spans.set(key, known);
    }
  };
  for (const { kind, provider, writerKey, workoutType: type = '', ...facts } of known.tombstones) {
    if (kind === 'workout') add(provider, writerKey, { ...facts, type });
  }
  if (spans.size === 0 && known.suppressed.size === 0) return () => false;
  const sourceOf = (source: RecordBatch['sources'][number]) => {
    const key = known.sources.get(storedKey(source))?.key;
    return key === undefined ? undefined : known.stored.get(key);
  };
  for (const record of records) {
    if (record.kind !== 'workout' || !known.suppressed.has(record)) continue;
    const source = sourceOf(record.source);
    const externalId = record.externalId === undefined ? undefined : storableText(record.externalId);
    // Also adds the record's own id and time, which may differ from the tombstone's id and time.
    if (source) add(source.provider, writerKeyOf(source), { ...record, externalId });
  }
  const writerKeys = providedSources.map((source) => {
    const row = sourceOf(source);
    return row && writerKeyOf(row);
  });
  const deleted = new Map([...spans].map(([key, intervals]) => [key, unionOf(intervals)]));
  return (row) => {
    if (!READINGS.has(samples.typeId[row] as number)) return false;
    const writerKey = writerKeys[samples.sourceIndex[row] as number];
    const intervals = deleted.get(`${samples.idHash[row]} ${writerKey}`);
    return intervals !== undefined && isWithin(intervals, samples.startMs[row] as number);
  };
}

function writerKeyOf({ provider, writer }: StoredSource): string {
  return storedKey({ provider, writer: writer ?? undefined });
}
