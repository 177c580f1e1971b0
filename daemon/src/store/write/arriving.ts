import {
  type DeletionRecord,
  type HealthRecord,
  type PushedDeletion,
  type RecordBatch,
  type Rejected,
  type SampleColumns,
  seriesTypeIds,
} from '@healthd/model';
import { type BatchRows, sortedRows } from '../decide/batch-rows.js';
import { expiredItems } from '../decide/expired-items.js';
import { suppressedRecords } from '../decide/tombstones.js';
import { suppressedReadings } from '../decide/workout-readings.js';
import { type ResolvedSources, SOURCE_BEYOND_LIMIT, sourceIdOf } from '../facts/sources/resolved-source.js';
import { storedKey } from '../facts/sources/stored-source.js';
import type { ItemsDeletedEarlier } from './deleted-earlier.js';
import type { BatchContext } from './load-context.js';
import { withSourcesOfWorkouts } from './workout-readings.js';

/** The items of a batch that may be stored. */
export interface ArrivingItems {
  /** Samples by key. */
  given: BatchRows;
  /** The batch's samples. Readings have the source of their workout. */
  samples: SampleColumns;
  /** Records that are skipped, because they were deleted here or are older than a cache limit. */
  suppressed: ReadonlySet<HealthRecord>;
  /** Records of sources beyond their provider's limit. */
  rejected: Rejected[];
}

export interface BatchDeletions {
  byVendor: DeletionRecord[];
  byPhone: PushedDeletion[];
}

export function deletionsOf({ records }: RecordBatch): BatchDeletions {
  const byVendor = records.filter((record): record is DeletionRecord => record.kind === 'deletion');
  return { byVendor, byPhone: byVendor.flatMap((deletion) => (deletion.of === 'pushed' ? deletion.items : [])) };
}

/**
 * Separates a batch's storable items from items that were deleted here before, that are older than the vendor's cache
 * limit, that are positions although routes are not stored, or that cannot be stored.
 * @param deletedEarlier items that a phone reported as deleted
 */
export async function arrivingItems(
  context: BatchContext,
  batch: RecordBatch,
  {
    sources,
    deletedEarlier: tombstoned,
    rejected,
  }: { sources: ResolvedSources; deletedEarlier: ItemsDeletedEarlier; rejected: Rejected[] },
): Promise<ArrivingItems> {
  const { tombstones, turns } = context;
  const { records } = batch;
  const expired = expiredItems(batch, context.firstStoredDay);
  const suppressed = new Set([
    ...suppressedRecords(tombstones, records, sources),
    ...tombstoned.records,
    ...expired.records,
  ]);
  const named = { samples: batch.samples, sourceIds: batch.sources.map((source) => sourceIdOf(sources, source)) };
  const bringsWorkouts = records.some(({ kind }) => kind === 'workout');
  const { samples, sourceIds } = bringsWorkouts
    ? await withSourcesOfWorkouts(context, { ...named, records }, sources)
    : named;
  await turns.yieldIfLong();
  const isSuppressed = suppressedReadings(batch, { tombstones, suppressed, sources, stored: context.sources });
  // A position that moves to another source was stored while routes were stored.
  const dropsPositions = !context.storeRoutes && !context.options.isMove;
  const given = await turns.run(
    sortedRows(
      samples,
      sourceIds,
      (row) =>
        (dropsPositions && POSITIONS.has(samples.typeId[row] as number)) ||
        expired.isExpiredSample(row) ||
        tombstoned.samples.has(row) ||
        isSuppressed(row),
    ),
  );
  await turns.yieldIfLong();
  return { given, samples, suppressed, rejected };
}

/** Series that tell where a user was. */
const POSITIONS: ReadonlySet<number> = new Set(seriesTypeIds(['latitude', 'longitude']));

const COLLECTIONS = {
  sleep_stage: 'sleep_stages',
  sleep_session: 'sleep_sessions',
  workout: 'workouts',
  menstrual_cycle: 'menstrual_cycles',
  health_score: 'health_scores',
} as const;

/** Drops records of sources beyond their provider's limit. */
export function ofKnownSources(
  batch: RecordBatch,
  sources: ResolvedSources,
): { batch: RecordBatch; rejected: Rejected[] } {
  const rejected: Rejected[] = [];
  const records = batch.records.filter((record, index) => {
    if (!('source' in record) || sources.has(storedKey(record.source))) return true;
    rejected.push({ kind: 'rejected', collection: COLLECTIONS[record.kind], index, ...SOURCE_BEYOND_LIMIT });
    return false;
  });
  return rejected.length === 0 ? { batch, rejected } : { batch: { ...batch, records }, rejected };
}
