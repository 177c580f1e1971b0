import { type DeletionRecord, dayNumber, fromDayNumber, type RecordBatch, type Rejected } from '@healthd/model';
import type pg from 'pg';
import { lockUser } from '../../platform/database/index.js';
import { completeDays, storedDays } from '../derived/days/sample-days.js';
import { invalidateAllMergedTotals } from '../derived/merged/merged-store.js';
import { DirtyDays } from '../facts/dirty-days.js';
import { storeSessions } from '../facts/events/identified-sessions.js';
import { HEALTH_SCORES, MENSTRUAL_CYCLES, storeVendorEvents } from '../facts/events/vendor-events.js';
import { WORKOUTS } from '../facts/events/workouts.js';
import { extendTimeline } from '../facts/offsets/offset-days.js';
import { fillPersonalRecord } from '../facts/personal.js';
import { identifySamples } from '../facts/samples/identify-samples.js';
import { storeExtremes } from '../facts/samples/sample-extremes.js';
import { groupSamples } from '../facts/samples/sample-groups.js';
import { sortedRows } from '../facts/samples/sample-rows.js';
import { markArchived, storeSamples } from '../facts/samples/sample-store.js';
import { removeCondensed } from '../facts/samples/stored-condensed.js';
import { reassembleAll } from '../facts/sleep/session-store.js';
import type { SourceSpan } from '../facts/sleep/source-span.js';
import { storeStages } from '../facts/sleep/stage-store.js';
import { VENDOR_SESSIONS } from '../facts/sleep/vendor-sessions.js';
import { type ResolvedSources, resolveSources, sourceIdOf, sourcesOfBatch } from '../facts/sources/sources.js';
import { suppressedRecords } from '../facts/tombstones.js';
import { type CollectionOutcome, itemCountsOf, type WriteCounts, type WriteResult } from '../facts/write-result.js';
import { sortRecords, type ValidItems } from './batch-records.js';
import { allRemoved, applyDeletions } from './deletions.js';
import { requestComparison } from './joined-sources/request-comparison.js';
import { type BatchContext, loadBatchContext, type WriteOptions } from './load-context.js';
import { changedSpans, daysOfRedatedSamples } from './redate-samples.js';
import { redateSessions } from './redate-sessions.js';
import { applyReplacements } from './replacements.js';
import { type RollUpInvalidations, refreshRollUps } from './roll-up-invalidations.js';

/**
 * Stores batches in their order and brings the roll-ups of exactly the days and nights up to date that they touch, all
 * in the caller's transaction.
 * @param sleepEndGapMinutes longest pause between sleep stages of one session
 * @returns the outcome of each batch
 * @throws UserMissingError
 */
export async function writeBatches(
  client: pg.ClientBase,
  userKey: number,
  batches: readonly RecordBatch[],
  sleepEndGapMinutes: number,
  options: WriteOptions = {},
): Promise<WriteResult[]> {
  await lockUser(client, userKey);
  let context = await loadBatchContext(client, userKey, sleepEndGapMinutes, batches, options);
  const results: WriteResult[] = [];
  const stale: RollUpInvalidations[] = [];
  for (const batch of batches) {
    const stored = await storeBatch(context, batch);
    context = stored.context;
    results.push(stored.result);
    stale.push(stored.stale);
  }
  if (!options.isDryRun) await refreshRollUps(context, stale);
  return results;
}

/**
 * @returns what the next batch of the transaction has to know, the outcome of this one, and what it leaves to refresh
 */
async function storeBatch(
  before: BatchContext,
  batch: RecordBatch,
): Promise<{ context: BatchContext; result: WriteResult; stale: RollUpInvalidations }> {
  const { client, userKey, options } = before;
  const { records } = batch;
  const { sources, stored, deviceTypeChanged } = await resolveSources(before, sourcesOfBatch(batch));
  if (deviceTypeChanged) await invalidateAllMergedTotals(client, userKey);
  const deletions = records.filter((record): record is DeletionRecord => record.kind === 'deletion');
  const deleted = await applyDeletions({ ...before, sources: stored }, deletions);

  const batchRows = sortedRows(
    batch.samples,
    batch.sources.map((source) => sourceIdOf(sources, source)),
  );
  const { rows } = batchRows;
  const change = await extendTimeline(before, rows, batch);
  const context: BatchContext = { ...before, sources: stored, timeline: change.after };
  const redatedDays = await daysOfRedatedSamples(context, change);
  // Before replaced windows are applied: what of them stays is known by the slots.
  const grouped = await groupSamples(client, userKey, rows);
  const isRestated = records.some((record) => record.kind === 'replacement' && record.of === 'samples');
  const { replacesFiles = false, keepStored = false } = options;
  const how = { isRestated, replacesFiles, keepStored };
  const identified = await identifySamples(client, userKey, batchRows, grouped, change.after, how);
  const { removed: replaced, correctedSessions } = await applyReplacements(context, { identified, records, sources });

  if (!options.isMove) await markArchived(context, identified);
  if (!isRestated) await removeCondensed(client, userKey, identified, grouped);
  if (!options.isDryRun) await storeSamples(client, userKey, identified);
  const removed = allRemoved([deleted, replaced]);
  const dirtyDays = DirtyDays.union([
    removed.days,
    redatedDays,
    storedDays(identified, change),
    await storeExtremes(context, batch.samples, batchRows),
  ]);
  const complete = removed.samples === 0 ? completeDays(identified, grouped, change.after) : undefined;

  const redated = await redateSessions(context, changedSpans(change));
  const others = await storeRecords(context, records, sources, { correctedSessions, redated: redated.assembled });
  const removesSessions = removed.sessions > 0;
  await requestComparison(context, { sources, dirtyDays, changedSessions: others.changed, removesSessions });
  const nights = new Set([...others.wakeDates, ...removed.wakeDates, ...redated.wakeDates]);

  const fates = identified.counts();
  const sampleCounts = { inserted: fates.insert, updated: fates.updated, unchanged: fates.unchanged };
  const samples: CollectionOutcome = {
    given: fates.insert + fates.updated + fates.unchanged + fates.duplicate,
    counts: sampleCounts,
    rejected: batchRows.rejected,
  };
  const result: WriteResult = {
    ...others.result,
    items: itemCountsOf([samples, ...others.collections], {
      archived: fates.archived,
      superseded: fates.superseded,
      suppressed: others.suppressed,
    }),
    samples: sampleCounts,
    deleted: { samples: removed.samples, sessions: removed.sessions, healthScores: removed.healthScores },
    dates: dateRange([...dirtyDays.allDays, ...[...nights].map((date) => dayNumber(date) as number)]),
    rejected: [...batchRows.rejected, ...others.rejected],
  };
  await options.observe?.(client, { identified, records, sources, timeline: change.after, result });
  return { context, result, stale: { dirtyDays, nights, complete } };
}

/** What storing everything but samples came to. */
interface StoredRecords {
  collections: CollectionOutcome[];
  /** Items that were deleted here before. */
  suppressed: number;
  rejected: Rejected[];
  /** Stages and workouts that are new or changed. */
  changed: SourceSpan[];
  /** Wake dates whose nights changed. */
  wakeDates: string[];
  result: Pick<
    WriteResult,
    | 'sleepStages'
    | 'sleepSessions'
    | 'workouts'
    | 'menstrualCycles'
    | 'healthScores'
    | 'sleepSessionIds'
    | 'workoutIds'
    | 'changedStages'
  >;
}

/** @param redated assembled sessions to assemble again although no stage of theirs changed */
async function storeRecords(
  context: BatchContext,
  records: RecordBatch['records'],
  sources: ResolvedSources,
  { correctedSessions: corrected, redated }: { correctedSessions: ReadonlySet<string>; redated: SourceSpan[] },
): Promise<StoredRecords> {
  const { client, userKey, options } = context;
  const { keepStored = false, fromFile = false } = options;
  const suppressed = await suppressedRecords(client, userKey, records, sources);
  const items = sortRecords(records, sources, suppressed);

  const stages = await storeStages(context, items.stages.rows, fromFile);
  const assembled = await reassembleAll(context, [...stages.changed, ...redated]);
  const nights = await storeSessions(context, VENDOR_SESSIONS, items.nights.rows, { keepStored, corrected });
  const workouts = await storeSessions(context, WORKOUTS, items.workouts.rows, { keepStored, corrected });
  const menstrualCycles = await storeVendorEvents(context, MENSTRUAL_CYCLES, items.cycles.rows, keepStored);
  const healthScores = await storeVendorEvents(context, HEALTH_SCORES, items.scores.rows, keepStored);
  for (const record of items.personal) await fillPersonalRecord(client, userKey, record);

  const inserted = [...assembled.inserted, ...nights.ids.inserted];
  const updated = [...assembled.updated, ...nights.ids.updated];
  return {
    collections: [
      outcomeOf(items.stages, stages.counts),
      outcomeOf(items.nights, nights.counts),
      outcomeOf(items.workouts, workouts.counts),
      outcomeOf(items.cycles, menstrualCycles),
      outcomeOf(items.scores, healthScores),
    ],
    suppressed: suppressed.size,
    rejected: [
      ...items.stages.rejected,
      ...assembled.rejected,
      ...items.nights.rejected,
      ...items.workouts.rejected,
      ...items.cycles.rejected,
      ...items.scores.rejected,
    ],
    changed: [...stages.changed, ...workouts.changed],
    wakeDates: [...assembled.wakeDates, ...nights.endDates],
    result: {
      sleepStages: stages.counts,
      sleepSessions: {
        inserted: inserted.length,
        updated: updated.length,
        unchanged: assembled.unchanged + nights.counts.unchanged,
      },
      workouts: workouts.counts,
      menstrualCycles,
      healthScores,
      sleepSessionIds: { inserted, updated },
      workoutIds: workouts.ids,
      changedStages: stages.changed,
    },
  };
}

function outcomeOf<Row>({ rows, rejected }: ValidItems<Row>, counts: WriteCounts): CollectionOutcome {
  return { given: rows.length, counts, rejected };
}

function dateRange(days: readonly number[]): WriteResult['dates'] {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const day of days) {
    if (day < from) from = day;
    if (day > to) to = day;
  }
  return from <= to ? { from: fromDayNumber(from), to: fromDayNumber(to) } : undefined;
}
