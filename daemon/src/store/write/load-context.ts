import type { RecordBatch } from '@healthd/model';
import type pg from 'pg';
import { loadArchivedBefore } from '../facts/archived/minute-store.js';
import { loadTimeline } from '../facts/offsets/offset-days.js';
import { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import type { Identified } from '../facts/samples/identified.js';
import { appOf, loadAliases, type SourceAlias } from '../facts/sources/source-aliases.js';
import { loadSources, type ResolvedSources, type StoredSources, sourcesOfBatch } from '../facts/sources/sources.js';
import type { WriteContext } from '../facts/write-context.js';
import type { WriteResult } from '../facts/write-result.js';

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
  sources: ResolvedSources;
  timeline: OffsetTimeline;
  result: WriteResult;
}

/** A transaction that stores batches. */
export interface BatchContext extends WriteContext {
  options: WriteOptions;
  /** All sources of the user, as they are stored. */
  sources: StoredSources;
  /** Which apps were learnt to be others; read only where a batch names an app. */
  aliases: readonly SourceAlias[];
}

/** A stretch of time; empty where `fromMs` is not before or at `toMs`. */
export interface InstantSpan {
  fromMs: number;
  toMs: number;
}

/** What a transaction around a span needs to know. The user's row must be locked. */
export async function loadContext(
  client: pg.ClientBase,
  userKey: number,
  sleepEndGapMinutes: number,
  { fromMs, toMs }: InstantSpan,
): Promise<WriteContext> {
  const timeline = fromMs <= toMs ? await loadTimeline(client, userKey, fromMs, toMs) : new OffsetTimeline();
  const archivedBefore = await loadArchivedBefore(client, userKey);
  return { client, userKey, sleepEndGapMinutes, archivedBefore, timeline };
}

/** What storing the batches needs to know. The user's row must be locked. */
export async function loadBatchContext(
  client: pg.ClientBase,
  userKey: number,
  sleepEndGapMinutes: number,
  batches: readonly RecordBatch[],
  options: WriteOptions,
): Promise<BatchContext> {
  return {
    ...(await loadContext(client, userKey, sleepEndGapMinutes, spanOf(batches))),
    options,
    sources: await loadSources(client, userKey),
    aliases: batches.some(namesApp) ? await loadAliases(client, userKey) : [],
  };
}

function namesApp(batch: RecordBatch): boolean {
  for (const source of sourcesOfBatch(batch)) if (appOf(source) !== undefined) return true;
  return false;
}

/** From the first to the last instant that the batches name, windows that they delete or replace included. */
function spanOf(batches: readonly RecordBatch[]): InstantSpan {
  const span: InstantSpan = { fromMs: Number.POSITIVE_INFINITY, toMs: Number.NEGATIVE_INFINITY };
  const reach = (ms: number) => {
    if (ms < span.fromMs) span.fromMs = ms;
    if (ms > span.toMs) span.toMs = ms;
  };
  for (const { samples, records, zones = [] } of batches) {
    for (let row = 0; row < samples.length; row++) reach(samples.startMs[row] as number);
    for (const { firstMs, lastMs } of zones) {
      reach(firstMs);
      reach(lastMs);
    }
    for (const record of records) {
      if (record.kind === 'health_score') reach(record.atMs);
      else if ('startMs' in record) {
        reach(record.startMs);
        reach(record.endMs);
      }
    }
  }
  return span;
}
