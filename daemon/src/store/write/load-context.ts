import type { ProviderId, RecordBatch } from '@healthd/model';
import type pg from 'pg';
import { readTogether } from '../../platform/database/index.js';
import { Turns } from '../../platform/turns.js';
import { ARCHIVED_BEFORE } from '../facts/archived/minute-store.js';
import { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import { TIMELINE, timelineBounds } from '../facts/offsets/timeline-rows.js';
import { PUSH_DEVICES, type PushDevice } from '../facts/pushed/pushed-samples.js';
import { HAS_PUSHED_TOMBSTONES } from '../facts/pushed/pushed-tombstones.js';
import { HAS_EXTREMES } from '../facts/samples/sample-extremes.js';
import { ALIASES } from '../facts/sources/alias-rows.js';
import type { SourceAlias } from '../facts/sources/source-aliases.js';
import { sourcesOfBatch } from '../facts/sources/resolved-source.js';
import { SOURCES } from '../facts/sources/source-rows.js';
import type { StoredSources } from '../facts/sources/stored-source.js';
import { TOMBSTONES, type Tombstone } from '../facts/tombstones.js';
import type { WriteContext } from '../facts/write-context.js';
import type { DecidingContext } from './decide-batch.js';
import { type InstantSpan, spanOf } from './batch-span.js';
import type { BatchHooks, RecordWriterOptions, WriteOptions } from './write-options.js';

/** A transaction that stores batches. */
export interface BatchContext extends DecidingContext {
  options: WriteOptions;
  hooks: BatchHooks;
  /** False to drop the positions of new data. */
  storeRoutes: boolean;
  /** All stored sources of the user. */
  sources: StoredSources;
  /** Apps that were detected as aliases of other sources. */
  aliases: readonly SourceAlias[];
  /** Tombstones of items that were deleted here. */
  tombstones: readonly Tombstone[];
  /** True if a phone ever reported a deletion. */
  hasPushedTombstones: boolean;
  /** Phones that have pushed data. Grows with the batches. */
  devices: PushDevice[];
  /** First local day that the vendor's cache limit keeps, in days since 1970-01-01; undefined if there is no limit. */
  firstStoredDay: number | undefined;
}

const CONTEXT = { archivedBefore: ARCHIVED_BEFORE, timeline: TIMELINE, hasExtremes: HAS_EXTREMES };
const BATCH_CONTEXT = {
  ...CONTEXT,
  sources: SOURCES,
  aliases: ALIASES,
  tombstones: TOMBSTONES,
  hasPushedTombstones: HAS_PUSHED_TOMBSTONES,
  devices: PUSH_DEVICES,
};

/** Loads the context of a transaction around a span. The user's row must be locked. */
export async function loadContext(
  client: pg.ClientBase,
  userKey: number,
  sleepEndGapMinutes: number,
  span: InstantSpan,
): Promise<WriteContext> {
  const loaded = await readTogether(client, 'records-load-context', CONTEXT, valuesOf(userKey, span));
  return { client, userKey, sleepEndGapMinutes, ...around(span, loaded), turns: new Turns() };
}

/** Loads the context for storing the batches. The user's row must be locked. */
export async function loadBatchContext(
  client: pg.ClientBase,
  userKey: number,
  { sleepEndGapMinutes, storeRoutes, hooks }: RecordWriterOptions,
  batches: readonly RecordBatch[],
  options: WriteOptions,
): Promise<BatchContext> {
  const span = spanOf(batches);
  // Reads the cache limit after locking the user's row, so that the deletion after a settings change misses no item.
  const parts = { ...BATCH_CONTEXT, firstStoredDay: hooks.firstStoredDay('$4') };
  const provider = options.account === undefined ? undefined : providerOf(batches);
  const values = [...valuesOf(userKey, span), provider ?? null];
  const loaded = await readTogether(client, 'records-load-batch-context', parts, values);
  return {
    client,
    userKey,
    sleepEndGapMinutes,
    storeRoutes,
    ...around(span, loaded),
    turns: new Turns(),
    options,
    hooks,
  };
}

/** Returns the first source's provider, because all sources of an account's batches belong to one provider. */
function providerOf(batches: readonly RecordBatch[]): ProviderId | undefined {
  for (const batch of batches) {
    for (const { provider } of sourcesOfBatch(batch)) return provider;
  }
  return undefined;
}

function valuesOf(userKey: number, { fromMs, toMs }: InstantSpan): unknown[] {
  return [userKey, ...(fromMs <= toMs ? timelineBounds(fromMs, toMs) : [null, null])];
}

/** Returns the loaded context, with an empty timeline if the span is empty. */
function around<Loaded extends { timeline: OffsetTimeline }>({ fromMs, toMs }: InstantSpan, loaded: Loaded): Loaded {
  return fromMs <= toMs ? loaded : { ...loaded, timeline: new OffsetTimeline() };
}
