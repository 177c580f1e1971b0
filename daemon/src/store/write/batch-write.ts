import {
  type DeletionRecord,
  dayNumber,
  fromDayNumber,
  type PushedDeletion,
  pushedIdHash,
  type RecordBatch,
  type Rejected,
} from '@healthd/model';
import type pg from 'pg';
import { heldIn, lockUser, PrerequisiteMissingError } from '../../platform/database/index.js';
import { sortedRows } from '../decide/batch-rows.js';
import { type BatchRecords, sortRecords } from '../decide/batch-records.js';
import { decideRecords, outcomeOf } from '../decide/records.js';
import type { WorkoutRow } from '../facts/events/workouts.js';
import { SLEEP_ITEM, WORKOUT_ITEM } from '../facts/pushed/pushed-tombstones.js';
import { comparisonAfter } from '../decide/comparison.js';
import { expiredItems } from '../decide/expired-items.js';
import { Identified } from '../decide/identified.js';
import { completeDays, daysOfRows, storedDays } from '../decide/sample-days.js';
import {
  changesOf,
  decideExtremes,
  droppedDays,
  givenExtremes,
  pushedSamples,
  samplesBeyondLimit,
} from '../decide/samples.js';
import { decideSources, type PlacedSources, placedSources, unwrittenSources } from '../decide/sources.js';
import { extendedTimeline } from '../decide/timeline.js';
import { suppressedRecords } from '../decide/tombstones.js';
import { suppressedReadings } from '../decide/workout-readings.js';
import { invalidateAllMergedTotals } from '../derived/merged/merged-store.js';
import { DirtyDays } from '../facts/dirty-days.js';
import { type CollectionOutcome, itemCountsOf, noCounts } from '../facts/item-counts.js';
import { loadServerZones } from '../facts/offsets/fallback-zone.js';
import { requestJoining } from '../facts/pending-repairs.js';
import { type PushedItem, PushedItems } from '../facts/pushed/pushed-items.js';
import { listPushed, pushDeviceOf } from '../facts/pushed/pushed-samples.js';
import { applySamples } from '../facts/samples/sample-store.js';
import { findExtremes, storeExtremes } from '../facts/samples/stored-extremes.js';
import {
  type ResolvedSources,
  SOURCE_BEYOND_LIMIT,
  sourceIdOf,
  sourcesOfBatch,
} from '../facts/sources/resolved-source.js';
import { growComparisons, upsertSources } from '../facts/sources/source-rows.js';
import { storedKey } from '../facts/sources/stored-source.js';
import type { WriteResult } from '../facts/write-result.js';
import { additionsOf, buriedItems } from './buried-items.js';
import { BatchThread, decide, threadFor } from './decide-batch.js';
import { findDeleted } from './deletions.js';
import { type BatchContext, loadBatchContext } from './load-context.js';
import { loadSamples, supersedeCondensed } from './load-samples.js';
import { applyPushedDeletions, findPushedDeletions, type PushedDeletionCounts } from './pushed-deletions.js';
import { changedSpans, daysOfRedatedSamples } from './redate-samples.js';
import { findRedated, storeDates } from './redate-sessions.js';
import { allRemoved, applyRemoval, NOTHING_REMOVED, type Removed, removedBy } from './removal.js';
import { findReplaced, replacedRemoval } from './replacements.js';
import { type RollUpInvalidations, refreshRollUps } from './roll-up-invalidations.js';
import { applyRecords } from './apply-records.js';
import { loadRecords } from './load-records.js';
import { applySleep, planSleep } from './plan-sleep.js';
import { storeTimeline } from './store-timeline.js';
import { withSourcesOfWorkouts } from './workout-readings.js';
import type { RecordWriterOptions, WriteOptions } from './write-options.js';

/**
 * Stores batches in order and updates exactly the roll-ups of affected days and nights, in the caller's transaction.
 * @returns the outcome of each batch
 * @throws UserMissingError
 */
export async function writeBatches(
  client: pg.ClientBase,
  userKey: number,
  batches: readonly RecordBatch[],
  how: RecordWriterOptions,
  options: WriteOptions = {},
): Promise<WriteResult[]> {
  const needed = threadFor(how.threads, batches);
  if (needed && !heldIn(client, needed)) throw new PrerequisiteMissingError(needed);
  await lockUser(client, userKey);
  let context = await loadBatchContext(client, userKey, how, batches, options);
  const results: WriteResult[] = [];
  const stale: RollUpInvalidations[] = [];
  for (const batch of batches) {
    const stored = await storeBatch({ ...context, thread: new BatchThread(client, how.threads) }, batch);
    context = stored.context;
    results.push(stored.result);
    stale.push(stored.stale);
  }
  if (!options.isDryRun) await refreshRollUps(context, stale);
  return results;
}

/** @returns the context for the transaction's next batch, this batch's outcome, and the pending refreshes */
async function storeBatch(
  before: BatchContext,
  whole: RecordBatch,
): Promise<{ context: BatchContext; result: WriteResult; stale: RollUpInvalidations }> {
  const { client, userKey, options, turns } = before;
  const { sources, stored } = await storeSources(before, whole);
  await turns.yieldIfLong();
  const { batch, rejected: sourceless } = ofKnownSources(whole, sources);
  const { records } = batch;
  const deletions = records.filter((record): record is DeletionRecord => record.kind === 'deletion');
  const deletedByPhone = deletions.flatMap((deletion) => (deletion.of === 'pushed' ? deletion.items : []));
  const buried = await buriedItems(before, batch, sources, deletedByPhone);
  const deleted = await storeDeletions({ ...before, sources: stored }, deletions);
  const byPhone = await storePushedDeletions({ ...before, sources: stored }, batch, deletedByPhone, sources);

  await turns.yieldIfLong();
  const expired = expiredItems(batch, before.firstKeptDay);
  const suppressed = new Set([
    ...suppressedRecords(before.tombstones, records, sources),
    ...buried.records,
    ...expired.records,
  ]);
  const named = { samples: batch.samples, sourceIds: batch.sources.map((source) => sourceIdOf(sources, source)) };
  const bringsWorkouts = records.some(({ kind }) => kind === 'workout');
  const { samples: sourced, sourceIds } = bringsWorkouts
    ? await withSourcesOfWorkouts({ ...before, sources: stored }, { ...named, records }, sources)
    : named;
  await turns.yieldIfLong();
  const isSuppressed = suppressedReadings(batch, { tombstones: before.tombstones, suppressed, sources, stored });
  const given = await turns.run(
    sortedRows(
      sourced,
      sourceIds,
      (row) => expired.isExpiredSample(row) || buried.samples.has(row) || isSuppressed(row),
    ),
  );
  await turns.yieldIfLong();
  const zones = batch.zones?.length ? await loadServerZones(client) : new Set<string>();
  const change = await storeTimeline(before, extendedTimeline(before.timeline, given.rows, batch, zones));
  const context: BatchContext = {
    ...before,
    sources: stored,
    timeline: change.after,
    hasPushedTombstones: before.hasPushedTombstones || deletedByPhone.length > 0,
  };
  const redatedDays = await daysOfRedatedSamples(context, change);
  const redated = await findRedated(context, changedSpans(change));
  const replaced = await findReplaced(context, records, sources);
  const { grouped, snapshot } = await loadSamples(context, given, records, replaced.readings.samples);
  const compared = new Identified(
    await decide(context, 'samples', { rows: given.rows, positions: given.positions, snapshot }),
  );
  const identified = snapshot.isRestated ? compared : await supersedeCondensed(context, compared, grouped);
  const { rows } = identified;
  const batchRows = { ...given, rows };
  const ranges = givenExtremes(sourced, batchRows);
  const newExtremes = decideExtremes(identified, ranges, await findExtremes(client, userKey, ranges));
  const removal = replacedRemoval(replaced);
  const changes = changesOf(identified);
  await turns.yieldIfLong();
  const items = await turns.run(sortRecords(records, sources, suppressed, batch.pushedBy !== undefined));
  const { snapshot: storedRecords, placed } = await loadRecords(context, items, { changes, replaced, redated });
  const sleep = await planSleep(context, items.stages.rows, redated.assembled, options.fromFile ?? false);
  const { stages, sessions: assembled } = sleep;
  const keepStored = options.keepStored ?? false;
  const others = await turns.run(
    decideRecords(items, placed, storedRecords, { keepStored, timeline: context.timeline }),
  );

  if (!options.isDryRun) {
    await applyRemoval(context, removal);
    await applySamples(client, userKey, changes);
    await storeExtremes(client, userKey, newExtremes.extremes);
    await storeDates(context, redated);
    await applySleep(context, sleep);
    await applyRecords(client, userKey, others.changes);
  }
  await turns.yieldIfLong();
  const dropped = {
    ...removedBy(NOTHING_REMOVED, change.after),
    samples: identified.decision.dropped.length,
    days: droppedDays(identified, change),
  };
  const removed = allRemoved([deleted, byPhone.removed, removedBy(removal, change.after), dropped]);
  const dirtyDays = DirtyDays.union([
    removed.days,
    redatedDays,
    await turns.run(storedDays(identified, change)),
    daysOfRows(rows, newExtremes.rows, change.after),
  ]);
  const complete = removed.samples === 0 ? await turns.run(completeDays(identified, grouped, change.after)) : undefined;

  if (batch.pushedBy) {
    const device = await pushDeviceOf(client, userKey, before.devices, batch.pushedBy);
    const samples = pushedSamples(identified, sourced, batchRows);
    await turns.yieldIfLong();
    await listPushed(client, userKey, device, {
      ...samples,
      records: PushedItems.of(pushedRecords(items, placed.rows)),
    });
  }
  const removesSessions = removed.sessions > 0;
  const changedSessions = [...stages.changed, ...others.workouts.changed];
  const comparison = comparisonAfter(context, { sources, dirtyDays, changedSessions, removesSessions });
  if (!options.isDryRun) {
    if (comparison.isRequested) await requestJoining(client, userKey);
    await growComparisons(client, userKey, comparison.grown);
  }
  const redatedNights = redated.nights.flatMap(({ before: date, date: now }) => [date, now]);
  const nights = new Set([...assembled.wakeDates, ...others.nights.endDates, ...removed.wakeDates, ...redatedNights]);

  const fates = identified.counts();
  const sampleCounts = { inserted: fates.insert, updated: fates.updated, unchanged: fates.unchanged };
  const samples: CollectionOutcome = {
    given: fates.insert + fates.updated + fates.unchanged + fates.duplicate,
    counts: sampleCounts,
    rejected: [...batchRows.rejected, ...samplesBeyondLimit(identified, batchRows)],
  };
  const ofStages = outcomeOf(items.stages, stages.counts, stages.rejected);
  const sleepIds = {
    inserted: [...assembled.ids.inserted, ...others.nights.ids.inserted],
    updated: [...assembled.ids.updated, ...others.nights.ids.updated],
  };
  const result: WriteResult = {
    items: itemCountsOf(
      [samples, { given: 0, counts: noCounts(), rejected: sourceless }, ofStages, ...others.collections],
      {
        archived: fates.archived,
        superseded: fates.superseded,
        suppressed: suppressed.size + batchRows.suppressed,
      },
    ),
    samples: sampleCounts,
    deletions: byPhone.counts,
    deleted: { samples: removed.samples, sessions: removed.sessions, healthScores: removed.healthScores },
    sleepStages: stages.counts,
    sleepSessions: {
      inserted: sleepIds.inserted.length,
      updated: sleepIds.updated.length,
      unchanged: assembled.unchanged + others.nights.counts.unchanged,
    },
    workouts: others.workouts.counts,
    menstrualCycles: others.cycles,
    healthScores: others.scores,
    sleepSessionIds: sleepIds,
    workoutIds: others.workouts.ids,
    changedStages: stages.changed,
    displacedSessions: [...others.nights.moved, ...others.workouts.moved, ...removed.gone],
    dates: dateRange([...dirtyDays.allDays, ...[...nights].map((date) => dayNumber(date) as number)]),
    rejected: [...samples.rejected, ...sourceless, ...ofStages.rejected, ...assembled.rejected, ...others.rejected],
  };
  await options.observe?.(client, { identified, records, sources, timeline: change.after, result });
  return { context, result, stale: { dirtyDays, nights, complete } };
}

/** Sources come first, because every other row points at one. */
async function storeSources(context: BatchContext, batch: RecordBatch): Promise<PlacedSources> {
  const { client, userKey, hooks, options } = context;
  const known = { sources: context.sources, aliases: context.aliases, account: options.account };
  const decided = decideSources(known, sourcesOfBatch(batch));
  if (options.isDryRun) return placedSources(known, decided, unwrittenSources(known, decided));
  const placed = placedSources(known, decided, await upsertSources(client, userKey, decided.written));
  if (placed.newProviders.length > 0) await hooks.rankProviders(client, placed.newProviders);
  if (placed.deviceTypeChanged) await invalidateAllMergedTotals(client, userKey);
  return placed;
}

/** Deletions come before additions, which describe what exists afterwards. */
async function storeDeletions(context: BatchContext, deletions: readonly DeletionRecord[]): Promise<Removed> {
  const removal = deletions.length === 0 ? NOTHING_REMOVED : await findDeleted(context, deletions);
  if (!context.options.isDryRun) await applyRemoval(context, removal);
  return removedBy(removal, context.timeline);
}

/** Does the same for deletions that a phone reports. */
async function storePushedDeletions(
  context: BatchContext,
  batch: RecordBatch,
  deletions: readonly PushedDeletion[],
  sources: ResolvedSources,
): Promise<{ removed: Removed; counts: PushedDeletionCounts }> {
  if (deletions.length === 0 || batch.pushedBy === undefined) {
    return { removed: removedBy(NOTHING_REMOVED, context.timeline), counts: { deleted: 0, notFound: 0 } };
  }
  const { provider } = batch.pushedBy;
  const decided = await findPushedDeletions(context, provider, deletions, additionsOf(batch, sources));
  return { removed: await applyPushedDeletions(context, provider, decided), counts: decided.counts };
}

/** Stages and workouts that a phone pushed with ids. */
function pushedRecords({ stages }: BatchRecords, workouts: readonly WorkoutRow[]): PushedItem[] {
  const items: PushedItem[] = [];
  for (const { record, sourceId } of stages.rows) {
    const { pushedId, sessionId, startMs } = record;
    if (pushedId === undefined) continue;
    const parent = sessionId === undefined ? undefined : pushedIdHash(sessionId);
    items.push({ id: pushedIdHash(pushedId), parent, startMs, sourceId, slot: 0, typeId: SLEEP_ITEM });
  }
  for (const { pushedId, startMs, sourceId } of workouts) {
    if (pushedId === undefined) continue;
    items.push({ id: pushedIdHash(pushedId), parent: undefined, startMs, sourceId, slot: 0, typeId: WORKOUT_ITEM });
  }
  return items;
}

const COLLECTIONS = {
  sleep_stage: 'sleep_stages',
  sleep_session: 'sleep_sessions',
  workout: 'workouts',
  menstrual_cycle: 'menstrual_cycles',
  health_score: 'health_scores',
} as const;

/** Drops records of sources beyond their provider's limit. */
function ofKnownSources(batch: RecordBatch, sources: ResolvedSources): { batch: RecordBatch; rejected: Rejected[] } {
  const rejected: Rejected[] = [];
  const records = batch.records.filter((record, index) => {
    if (!('source' in record) || sources.has(storedKey(record.source))) return true;
    rejected.push({ kind: 'rejected', collection: COLLECTIONS[record.kind], index, ...SOURCE_BEYOND_LIMIT });
    return false;
  });
  return rejected.length === 0 ? { batch, rejected } : { batch: { ...batch, records }, rejected };
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
