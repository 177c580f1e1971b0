import type { PushedDeletion, RecordBatch } from '@healthd/model';
import type pg from 'pg';
import { heldIn, lockUser, PrerequisiteMissingError } from '../../platform/database/index.js';
import { decideSources, type PlacedSources, placedSources, unwrittenSources } from '../decide/sources.js';
import { extendedTimeline } from '../decide/timeline.js';
import { invalidateAllMergedTotals } from '../derived/merged/merged-store.js';
import { addAllSummaries, changesOf } from '../facts/changes.js';
import { loadServerZones } from '../facts/offsets/fallback-zone.js';
import { type ResolvedSources, sourcesOfBatch } from '../facts/sources/resolved-source.js';
import { upsertSources } from '../facts/sources/source-rows.js';
import type { WriteResult } from '../facts/write-result.js';
import { applyChanges } from './apply.js';
import { arrivingItems, type BatchDeletions, deletionsOf, ofKnownSources } from './arriving.js';
import { additionsOf, findItemsDeletedEarlier, mergeDeletedEarlier, withComputedSamples } from './deleted-earlier.js';
import { BatchThread, threadFor } from './decide-batch.js';
import { findDeleted } from './deletions.js';
import { type BatchContext, loadBatchContext } from './load-context.js';
import { outdatedDeletions } from './outdated-deletions.js';
import { recordDeletedRanges } from '../facts/pushed/pushed-ranges.js';
import { planAdditions } from './plan.js';
import {
  applyPushedDeletions,
  deletedStretches,
  findPushedDeletions,
  type PushedDeletionCounts,
} from './pushed-deletions.js';
import { allRemoved, applyRemoval, NOTHING_REMOVED, type Removed, removedBy } from './removal.js';
import { type RollUpInvalidations, refreshRollUps } from './roll-up-invalidations.js';
import { storeTimeline } from './store-timeline.js';
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
  if (options.arrival) changesOf(client, userKey).cameBy(options.arrival.origin, options.arrival.runId);
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

/**
 * Stores a batch in four stages: its sources, its deletions, its offsets, and its additions. Each stage loads, decides
 * and applies, so that it finds the changes of the earlier stages in the store. A dry run applies nothing.
 * @returns the context for the transaction's next batch, this batch's outcome, and the pending refreshes
 */
async function storeBatch(
  before: BatchContext,
  whole: RecordBatch,
): Promise<{ context: BatchContext; result: WriteResult; stale: RollUpInvalidations }> {
  const { client, options, turns } = before;
  const { sources, stored } = await storeSources(before, whole);
  await turns.yieldIfLong();
  const { batch, rejected } = ofKnownSources(whole, sources);
  const known: BatchContext = { ...before, sources: stored };
  const deletions = deletionsOf(batch);
  const outdated = await outdatedDeletions(known, batch, sources, deletions.byPhone);
  await storeDeletedRanges(known, batch, deletions.byPhone);
  deletions.byPhone = outdated.remaining;
  const tombstoned = withComputedSamples(
    mergeDeletedEarlier(await findItemsDeletedEarlier(known, batch, sources, deletions.byPhone), outdated.skipped),
    batch,
  );
  const { removed: deleted, counts } = await storeDeletions(known, batch, deletions, sources);
  await turns.yieldIfLong();

  const arriving = await arrivingItems(known, batch, { sources, deletedEarlier: tombstoned, rejected });
  const zones = batch.zones?.length ? await loadServerZones(client) : new Set<string>();
  const timeline = await storeTimeline(known, extendedTimeline(before.timeline, arriving.given.rows, batch, zones));
  const context: BatchContext = {
    ...known,
    timeline: timeline.after,
    hasPushedTombstones: before.hasPushedTombstones || deletions.byPhone.length > 0,
  };
  const plan = await planAdditions(context, batch, arriving, { sources, timeline, deleted });
  if (!options.isDryRun) await applyChanges(context, plan.changes);
  context.hasExtremes ||= plan.changes.extremes.length > 0;
  const result: WriteResult = { ...plan.result, deletions: counts };
  const { identified, stale, changedWorkouts } = plan;
  const { records } = batch;
  await options.observe?.({ identified, records, sources, timeline: timeline.after, result, changedWorkouts });
  return { context, result, stale };
}

/** Stores the batch's sources. Sources are stored first, because every other row references a source. */
async function storeSources(context: BatchContext, batch: RecordBatch): Promise<PlacedSources> {
  const { client, userKey, hooks, options, turns } = context;
  const known = { sources: context.sources, aliases: context.aliases, account: options.account };
  const decided = await turns.run(decideSources(known, sourcesOfBatch(batch)));
  if (options.isDryRun) return placedSources(known, decided, unwrittenSources(known, decided));
  const placed = placedSources(known, decided, await upsertSources(client, userKey, decided.written));
  if (placed.newProviders.length > 0) await hooks.rankProviders(client, placed.newProviders);
  if (placed.deviceTypeChanged) {
    await invalidateAllMergedTotals(client, userKey);
    // A new device type changes the rank of a source, so the summaries may select other figures.
    await addAllSummaries(client, userKey, ['activity', 'sleep', 'recovery', 'body']);
  }
  return placed;
}

/**
 * Stores the ranges that the phone deleted. This includes ranges whose deletion is dropped because this batch is
 * outdated. Otherwise a retry of an older batch would store its items in addition to this batch's items.
 */
async function storeDeletedRanges(
  context: BatchContext,
  { pushedBy }: RecordBatch,
  byPhone: readonly PushedDeletion[],
): Promise<void> {
  if (context.options.isDryRun || pushedBy === undefined) return;
  const { provider, receivedAtMs } = pushedBy;
  if (receivedAtMs === undefined) return;
  const stretches = deletedStretches(context, provider, byPhone);
  await recordDeletedRanges(context.client, context.userKey, { provider, receivedAtMs }, stretches);
}

/**
 * Applies the batch's deletions. Deletions are applied before additions, because an edit arrives as a deletion and an
 * addition.
 */
async function storeDeletions(
  context: BatchContext,
  batch: RecordBatch,
  { byVendor, byPhone }: BatchDeletions,
  sources: ResolvedSources,
): Promise<{ removed: Removed; counts: PushedDeletionCounts }> {
  const removal = byVendor.length === 0 ? NOTHING_REMOVED : await findDeleted(context, byVendor);
  const removed = removedBy(removal, context.timeline);
  if (!context.options.isDryRun) await applyRemoval(context, removal);
  if (byPhone.length === 0 || batch.pushedBy === undefined) return { removed, counts: { deleted: 0, notFound: 0 } };
  const { provider } = batch.pushedBy;
  const decided = await findPushedDeletions(context, provider, byPhone, additionsOf(batch, sources));
  if (context.options.isDryRun) return { removed, counts: decided.counts };
  const ofPhone = await applyPushedDeletions(context, provider, decided);
  return { removed: allRemoved([removed, ofPhone]), counts: decided.counts };
}
