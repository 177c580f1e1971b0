import { hashOfId, READING_TYPE_IDS, type RecordBatch, readingsId, type SampleColumns } from '@healthd/model';
import { isShared, readingsHaveSource, sourcesOfMeasured } from '../facts/events/workout-sources.js';
import { type ResolvedSources, sourceIdOf } from '../facts/sources/resolved-source.js';
import type { BatchContext } from './load-context.js';

const READINGS: ReadonlySet<number> = new Set(READING_TYPE_IDS);

/** The samples of a batch, and by their `sourceIndex` the numbers of their sources. */
export interface SourcedSamples {
  samples: SampleColumns;
  sourceIds: number[];
}

/**
 * Gives readings of workouts the source of their workout: an item that names no device, or was named another one before, is of the
 * source that is known.
 */
export async function withSourcesOfWorkouts(
  context: BatchContext,
  { samples, sourceIds: named, records }: SourcedSamples & Pick<RecordBatch, 'records'>,
  sources: ResolvedSources,
): Promise<SourcedSamples> {
  const sourceIds = [...named];
  const workouts = records.flatMap((record) => {
    const row = record.kind === 'workout' && { ...record, sourceId: sourceIdOf(sources, record.source) };
    return row && isShared(row) && readingsHaveSource(row.source.provider) ? [row] : [];
  });
  if (workouts.length === 0 || samples.length === 0) return { samples, sourceIds };
  const chosen = await sourcesOfMeasured(context, workouts);
  const moved = new Map<number, number>();
  for (const [at, { source, externalId = '', sourceId }] of workouts.entries()) {
    const known = chosen[at] ?? sourceId;
    if (known !== sourceId) moved.set(hashOfId(readingsId(source.provider, externalId)), sourceIds.push(known) - 1);
  }
  if (moved.size === 0) return { samples, sourceIds };
  const sourceIndex = samples.sourceIndex.slice();
  for (let row = 0; row < samples.length; row++) {
    const to = moved.get(samples.idHash[row] as number);
    if (to !== undefined && READINGS.has(samples.typeId[row] as number)) sourceIndex[row] = to;
  }
  return { samples: { ...samples, sourceIndex }, sourceIds };
}
