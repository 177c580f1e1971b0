import {
  type HealthRecord,
  type Interval,
  isWithin,
  type ProviderId,
  READING_TYPE_IDS,
  type RecordBatch,
  readingHashes,
  unionOf,
} from '@healthd/model';
import { READINGS_REACH_MS } from '../facts/events/workout-sources.js';
import type { ResolvedSources } from '../facts/sources/resolved-source.js';
import { type StoredSource, type StoredSources, storedKey } from '../facts/sources/stored-source.js';
import { storableText } from '../facts/storable-text.js';
import type { Tombstone } from '../facts/tombstone.js';

const READINGS: ReadonlySet<number> = new Set(READING_TYPE_IDS);

/**
 * Which samples of a batch, by row, were measured during workouts that were deleted here, as their ids say: they do not come
 * back either.
 * @param known `suppressed`: records of the batch that were deleted here
 */
export function suppressedReadings(
  { sources: given, samples, records }: RecordBatch,
  known: {
    tombstones: readonly Tombstone[];
    suppressed: ReadonlySet<HealthRecord>;
    sources: ResolvedSources;
    stored: StoredSources;
  },
): (row: number) => boolean {
  /** Where readings of deleted workouts may be, by the hash of their id and by writer. */
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
    // Under another id than it was deleted with, or moved since.
    if (source) add(source.provider, writerKeyOf(source), { ...record, externalId });
  }
  const writerKeys = given.map((source) => {
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
