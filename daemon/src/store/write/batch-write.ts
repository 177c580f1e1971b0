import {
  countItems,
  type DeletionRecord,
  dayNumber,
  fromDayNumber,
  type RecordBatch,
  type SourceIdentity,
} from '@healthd/model';
import type pg from 'pg';
import { lockUser } from '../../platform/database/index.js';
import { completeDays, markStoredDaysDirty } from '../derived/days/sample-days.js';
import { invalidateAllMergedTotals } from '../derived/merged/merged-store.js';
import { extendTimeline } from '../facts/offsets/offset-days.js';
import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import type { Identified } from '../facts/samples/identified.js';
import { identifySamples } from '../facts/samples/identify-samples.js';
import { storeExtremes } from '../facts/samples/sample-extremes.js';
import { groupSamples } from '../facts/samples/sample-groups.js';
import { sortedRows } from '../facts/samples/sample-rows.js';
import { markArchived, storeSamples } from '../facts/samples/sample-store.js';
import { removeCondensed } from '../facts/samples/stored-condensed.js';
import { type ResolvedSource, resolveSources, storedKey } from '../facts/sources/sources.js';
import { countStored, emptyResult, rejectItem, type WriteResult } from '../facts/write-result.js';
import { applyDeletions } from './deletions.js';
import { markMovedDaysDirty } from './moved-samples.js';
import { placeMovedSessions } from './moved-sessions.js';
import { storeRecords } from './record-store.js';
import { applyReplacements } from './replacements.js';
import { type RollUpInvalidations, refreshRollUps } from './roll-up-invalidations.js';

/** How a batch meets what is stored. */
export interface WriteOptions {
  /** The batch is older than what is stored: it adds what is missing and changes nothing. */
  keepStored?: boolean;
  /** The batch was read out of a file. */
  fromFile?: boolean;
  /** The file takes the place of those before it: what they brought and it lacks is about to go. */
  replacesFiles?: boolean;
  /** Nothing is to stay: what is worked out of samples is left as it is, and the caller rolls the rest back. */
  isDryRun?: boolean;
  /** The samples were stored already, under another source: none of them counts as archived. */
  isMove?: boolean;
  /** Told what became of each batch, in its transaction. */
  observe?(client: pg.ClientBase, seen: SeenBatch): Promise<void>;
}

/** What became of a batch. */
export interface SeenBatch {
  identified: Identified;
  records: RecordBatch['records'];
  /** By `storedKey`. */
  sources: Map<string, ResolvedSource>;
  timeline: OffsetTimeline;
  result: WriteResult;
}

/**
 * Stores batches in their order and brings the roll-ups of exactly the days and nights up to date that they touch, all
 * in the caller's transaction.
 * @returns what came of each batch
 */
export async function writeBatches(
  client: pg.ClientBase,
  userKey: number,
  batches: readonly RecordBatch[],
  sleepEndGapMinutes: number,
  options: WriteOptions = {},
): Promise<WriteResult[]> {
  await lockUser(client, userKey);
  const results: WriteResult[] = [];
  const stale: RollUpInvalidations[] = [];
  for (const batch of batches) {
    const result = emptyResult();
    stale.push(await storeBatch(client, userKey, batch, sleepEndGapMinutes, result, options));
    results.push(result);
  }
  if (!options.isDryRun) await refreshRollUps(client, userKey, stale);
  return results;
}

async function storeBatch(
  client: pg.ClientBase,
  userKey: number,
  batch: RecordBatch,
  sleepEndGapMinutes: number,
  result: WriteResult,
  options: WriteOptions,
): Promise<RollUpInvalidations> {
  const { keepStored = false, fromFile = false, replacesFiles = false, isDryRun = false, isMove = false } = options;
  const { sources, deviceTypeChanged } = await resolveSources(client, userKey, sourcesOf(batch));
  if (deviceTypeChanged) await invalidateAllMergedTotals(client, userKey);
  const deletions = batch.records.filter((record): record is DeletionRecord => record.kind === 'deletion');
  const deleted = await applyDeletions(client, userKey, deletions);

  const sourceIds = batch.sources.map((source) => sources.get(storedKey(source))?.sourceId as number);
  const batchRows = sortedRows(batch.samples, sourceIds);
  const { rows } = batchRows;
  for (const item of batchRows.rejected) rejectItem(result, item);
  const { days: dirtyDays } = deleted;
  const change = await extendTimeline(client, userKey, rows, batch, dirtyDays);
  await markMovedDaysDirty(client, userKey, change, dirtyDays);
  // Before replaced windows are applied: what of them stays is known by the slots.
  const grouped = await groupSamples(client, userKey, rows);
  const isRestated = batch.records.some((record) => record.kind === 'replacement' && record.of === 'samples');
  const identified = await identifySamples(client, userKey, batchRows, grouped, change.after, {
    isRestated,
    replacesFiles,
    keepStored,
  });
  await applyReplacements(client, userKey, { identified, records: batch.records, sources }, deleted);
  const { days: _, wakeDates: emptiedNights, correctedSessions: corrected, ...removed } = deleted;
  result.deleted = removed;
  const movedSessions = await placeMovedSessions(client, userKey, change);

  if (!isMove) await markArchived(client, userKey, identified);
  if (!isRestated) await removeCondensed(client, userKey, identified, grouped);
  if (!isDryRun) await storeSamples(client, userKey, identified);
  countSamples(result, identified);
  markStoredDaysDirty(identified, change, dirtyDays);
  await storeExtremes(client, userKey, batch.samples, batchRows, { timeline: change.after, dirtyDays });
  const complete = removed.samples === 0 ? completeDays(identified, grouped, change.after) : undefined;

  const changedNights = await storeRecords({
    client,
    userKey,
    records: batch.records,
    sources,
    timeline: change.after,
    sleepEndGapMinutes,
    keepStored,
    fromFile,
    corrected,
    stale: movedSessions.assembled,
    result,
  });
  await options.observe?.(client, { identified, records: batch.records, sources, timeline: change.after, result });
  const nights = new Set([...changedNights, ...emptiedNights, ...movedSessions.wakeDates]);
  const dirtyDates = dirtyDays.allDays;
  for (const date of nights) dirtyDates.add(dayNumber(date) as number);
  result.dates = dateRange(dirtyDates);
  return { dirtyDays, nights, timeline: change.after, complete };
}

function countSamples(result: WriteResult, identified: Identified): void {
  const { insert: inserted, updated, unchanged, duplicate, superseded, archived } = identified.counts();
  result.samples = { inserted, updated, unchanged };
  countItems(result.items, 'archived', archived);
  countItems(result.items, 'superseded', superseded);
  countStored(result, inserted + updated + unchanged + duplicate, result.samples);
}

function* sourcesOf(batch: RecordBatch): Generator<SourceIdentity> {
  yield* batch.sources;
  for (const record of batch.records) if ('source' in record) yield record.source;
}

function dateRange(days: Iterable<number>): WriteResult['dates'] {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const day of days) {
    if (day < from) from = day;
    if (day > to) to = day;
  }
  return from <= to ? { from: fromDayNumber(from), to: fromDayNumber(to) } : undefined;
}
