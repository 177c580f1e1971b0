import { type DeletionRecord, dayNumber, fromDayNumber, type RecordBatch, type SourceIdentity } from '@healthd/model';
import type pg from 'pg';
import { applyDeletions } from './deletions.js';
import { touchMovedSamples } from './moved-samples.js';
import { placeMovedSessions } from './moved-sessions.js';
import { extendTimeline } from './offset-days.js';
import { storeRecords } from './record-store.js';
import { applyReplacements } from './replacements.js';
import { completeDays, touchStoredSamples } from './rollups/sample-days.js';
import { sortedRows } from './samples/sample-rows.js';
import { storeSamples } from './samples/sample-store.js';
import { resolveSources, storedKey } from './sources.js';
import { refreshRollUps, type StaleRollUps } from './stale-roll-ups.js';
import { lockUser } from './user-lock.js';
import { emptyResult, type WriteResult } from './write-result.js';

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
): Promise<WriteResult[]> {
  await lockUser(client, userKey);
  const results: WriteResult[] = [];
  const stale: StaleRollUps[] = [];
  for (const batch of batches) {
    const result = emptyResult();
    stale.push(await storeBatch(client, userKey, batch, sleepEndGapMinutes, result));
    results.push(result);
  }
  await refreshRollUps(client, userKey, stale);
  return results;
}

async function storeBatch(
  client: pg.ClientBase,
  userKey: number,
  batch: RecordBatch,
  sleepEndGapMinutes: number,
  result: WriteResult,
): Promise<StaleRollUps> {
  const sources = await resolveSources(client, userKey, sourcesOf(batch));
  const deletions = batch.records.filter((record): record is DeletionRecord => record.kind === 'deletion');
  const deleted = await applyDeletions(client, userKey, deletions);

  const sourceIds = batch.sources.map((source) => sources.get(storedKey(source))?.sourceId as number);
  const { rows, rejected } = sortedRows(batch.samples, sourceIds);
  result.rejected.push(...rejected);
  await applyReplacements(client, userKey, { rows, records: batch.records, sources }, deleted);
  const { days: touched, wakeDates: emptiedNights, ...removed } = deleted;
  result.deleted = removed;
  const change = await extendTimeline(client, userKey, rows, batch.records, touched);
  await touchMovedSamples(client, userKey, change, touched);
  const movedSessions = await placeMovedSessions(client, userKey, change);

  const stored = await storeSamples(client, userKey, rows);
  result.samples = {
    inserted: stored.inserted.length,
    updated: stored.changed.length,
    unchanged: stored.unchanged,
  };
  touchStoredSamples(rows, stored, change, touched);
  const complete = removed.samples === 0 ? completeDays(rows, stored, change.after) : undefined;

  const changedNights = await storeRecords({
    client,
    userKey,
    records: batch.records,
    sources,
    timeline: change.after,
    sleepEndGapMinutes,
    stale: movedSessions.assembled,
    result,
  });
  const nights = new Set([...changedNights, ...emptiedNights, ...movedSessions.wakeDates]);
  const touchedDates = touched.allDays;
  for (const date of nights) touchedDates.add(dayNumber(date) as number);
  result.dates = dateRange(touchedDates);
  return { touched, nights, timeline: change.after, complete };
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
