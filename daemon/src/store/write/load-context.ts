import type { RecordBatch } from '@healthd/model';
import type pg from 'pg';
import { Turns } from '../../platform/turns.js';
import { loadArchivedBefore } from '../facts/archived/minute-store.js';
import { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import { loadTimeline } from '../facts/offsets/timeline-rows.js';
import { hasPushedTombstones } from '../facts/pushed/pushed-tombstones.js';
import { loadAliases } from '../facts/sources/alias-rows.js';
import { appOf } from '../facts/sources/app-source.js';
import { sourcesOfBatch } from '../facts/sources/resolved-source.js';
import type { SourceAlias } from '../facts/sources/source-aliases.js';
import { loadSources } from '../facts/sources/source-rows.js';
import type { StoredSources } from '../facts/sources/stored-source.js';
import type { Tombstone } from '../facts/tombstone.js';
import { loadTombstones } from '../facts/tombstones.js';
import type { WriteContext } from '../facts/write-context.js';
import type { BatchHooks } from './batch-hooks.js';
import { type InstantSpan, spanOf } from './batch-span.js';
import type { RecordWriterOptions, WriteOptions } from './write-options.js';

/** A transaction that stores batches. */
export interface BatchContext extends WriteContext {
  options: WriteOptions;
  hooks: BatchHooks;
  /** All sources of the user, as they are stored. */
  sources: StoredSources;
  /** Which apps were learnt to be others; read only where a batch names an app. */
  aliases: readonly SourceAlias[];
  /** What was deleted here. */
  tombstones: readonly Tombstone[];
  /** Whether phones ever reported a deletion. */
  hasPushedTombstones: boolean;
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
  return { client, userKey, sleepEndGapMinutes, archivedBefore, timeline, turns: new Turns() };
}

/** What storing the batches needs to know. The user's row must be locked. */
export async function loadBatchContext(
  client: pg.ClientBase,
  userKey: number,
  { sleepEndGapMinutes, hooks }: RecordWriterOptions,
  batches: readonly RecordBatch[],
  options: WriteOptions,
): Promise<BatchContext> {
  return {
    ...(await loadContext(client, userKey, sleepEndGapMinutes, spanOf(batches))),
    options,
    hooks,
    sources: await loadSources(client, userKey),
    aliases: batches.some((batch) => namesApp(batch) || deletesRange(batch)) ? await loadAliases(client, userKey) : [],
    tombstones: await loadTombstones(client, userKey),
    hasPushedTombstones: await hasPushedTombstones(client, userKey),
  };
}

/** Whether a deletion names a source, which may be known as another one. */
function deletesRange({ records }: RecordBatch): boolean {
  return records.some((record) => record.kind === 'deletion' && record.of === 'pushed');
}

function namesApp(batch: RecordBatch): boolean {
  for (const source of sourcesOfBatch(batch)) if (appOf(source) !== undefined) return true;
  return false;
}
