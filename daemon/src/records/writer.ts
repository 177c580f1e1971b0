import { fromDayNumber, type RecordBatch, type SourceIdentity, sourceKey } from '@healthd/model';
import type pg from 'pg';
import { inTransaction } from '../database/index.js';
import { touchMovedSamples } from './moved-samples.js';
import { extendTimeline } from './offset-days.js';
import { refreshDays } from './rollups/day-refresh.js';
import { completeDays, touchStoredSamples } from './rollups/sample-days.js';
import { TouchedDays } from './rollups/touched-days.js';
import { sortedRows } from './samples/sample-rows.js';
import { storeSamples } from './samples/sample-store.js';
import { resolveSources } from './sources.js';
import { lockUser } from './user-lock.js';
import { emptyResult, type WriteResult } from './write-result.js';

export interface RecordWriterOptions {
  /** Longest pause between sleep stages of one session. */
  sleepEndGapMinutes: number;
}

/** The only writer of health data. All methods lock the user's row first and throw `UserMissingError` without one. */
export interface RecordWriter {
  /** Stores a batch in a transaction of its own. */
  write(userKey: number, batch: RecordBatch): Promise<WriteResult>;
  /** Stores a batch in the caller's transaction, which must be rolled back when this rejects. */
  writeIn(client: pg.ClientBase, userKey: number, batch: RecordBatch): Promise<WriteResult>;
}

export function createRecordWriter(pool: pg.Pool, options: RecordWriterOptions): RecordWriter {
  const writeIn = (client: pg.ClientBase, userKey: number, batch: RecordBatch) =>
    writeBatch(client, userKey, batch, options);
  return {
    write: (userKey, batch) => inTransaction(pool, (client) => writeIn(client, userKey, batch)),
    writeIn,
  };
}

async function writeBatch(
  client: pg.ClientBase,
  userKey: number,
  batch: RecordBatch,
  _options: RecordWriterOptions,
): Promise<WriteResult> {
  const result = emptyResult();
  await lockUser(client, userKey);
  const sources = await resolveSources(client, userKey, sourcesOf(batch));
  const sourceIds = batch.sources.map((source) => sources.get(sourceKey(source))?.sourceId as number);
  const { rows, rejected } = sortedRows(batch.samples, sourceIds);
  result.rejected.push(...rejected);

  const change = await extendTimeline(client, userKey, rows, batch.records);
  const touched = new TouchedDays();
  await touchMovedSamples(client, userKey, change, touched);
  const stored = await storeSamples(client, userKey, rows);
  result.samples = {
    inserted: stored.inserted.length,
    updated: stored.changed.length,
    unchanged: stored.unchanged,
  };
  touchStoredSamples(rows, stored, change, touched);
  await refreshDays(client, userKey, change.after, touched, completeDays(rows, stored, change.after));
  result.dates = dateRange(touched.allDays);
  return result;
}

function* sourcesOf(batch: RecordBatch): Generator<SourceIdentity> {
  yield* batch.sources;
  for (const record of batch.records) if ('source' in record) yield record.source;
}

function dateRange(days: Set<number>): WriteResult['dates'] {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const day of days) {
    if (day < from) from = day;
    if (day > to) to = day;
  }
  return from <= to ? { from: fromDayNumber(from), to: fromDayNumber(to) } : undefined;
}
