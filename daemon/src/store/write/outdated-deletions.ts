import {
  type Interval,
  isWithin,
  overlapsAny,
  type ProviderId,
  type PushedDeletion,
  pushedIdKey,
  type RecordBatch,
  unionOf,
} from '@healthd/model';
import { groupedBy } from '../../platform/grouped-by.js';
import { rangesDeletedSince } from '../facts/pushed/pushed-ranges.js';
import { SLEEP_ITEM } from '../facts/pushed/pushed-tombstones.js';
import type { ResolvedSources } from '../facts/sources/resolved-source.js';
import {
  type ArrivingItem,
  type ItemsDeletedEarlier,
  type SpannedTrace,
  deletedEarlierOf,
  itemsOf,
  NONE_DELETED_EARLIER,
} from './deleted-earlier.js';
import { findByIds, idEntries } from './find-pushed-items.js';
import type { BatchContext } from './load-context.js';
import { findTracesInRanges, pushedSourcesOf, stageTrace, traceKey } from './pushed-deletions.js';

/**
 * Drops deletions that could delete data that arrived after their batch. Only a batch that is older than the stored
 * data is affected: its ranges may contain newer items, and an item that it edits may have been edited since. Keeps the
 * deletion of an id that the batch does not add again, because no newer item has that id.
 * @returns the remaining deletions, and the items that must not be stored:
 * - items in a range that a later batch deleted
 * - edited items that are stored with another start
 * - stages of edited sleep that differ from the stored stages
 * - items in the batch's ranges that overlap stored items
 */
export async function outdatedDeletions(
  context: BatchContext,
  batch: RecordBatch,
  sources: ResolvedSources,
  deletions: readonly PushedDeletion[],
): Promise<{ remaining: PushedDeletion[]; skipped: ItemsDeletedEarlier }> {
  if (!context.options.keepStored || batch.pushedBy === undefined) {
    return { remaining: [...deletions], skipped: NONE_DELETED_EARLIER };
  }
  const { provider } = batch.pushedBy;
  const items = itemsOf(batch, sources);
  const deletedLater = await itemsDeletedLater(context, batch.pushedBy, items);
  if (deletions.length === 0) return { remaining: [], skipped: deletedEarlierOf(deletedLater) };
  const added = new Set(items.flatMap(({ ids }) => ids.map(({ key }) => key)));
  const isEdit = (deletion: PushedDeletion) => 'id' in deletion && added.has(pushedIdKey(deletion.id));
  const edits = idEntries(deletions.filter(isEdit));
  const own = pushedSourcesOf(context, provider);
  const found = await findByIds(
    context,
    own.map(({ source_id: sourceId }) => sourceId),
    own.filter((row) => row.has_unlisted_ids),
    edits,
  );
  const storedStarts = new Map<string, Set<number>>();
  for (const { at, startMs } of [...found.samples, ...found.stages, ...found.workouts]) {
    const { key } = edits[at] as (typeof edits)[number];
    const known = storedStarts.get(key) ?? new Set();
    storedStarts.set(key, known.add(Math.round(startMs)));
  }
  const storedStages = new Set(found.stages.map((stage) => traceKey(stageTrace(stage))));
  const moved = items.filter(({ ids, trace }) =>
    ids.some(({ key }) => {
      const starts = storedStarts.get(key);
      if (starts === undefined || trace === undefined) return false;
      // Skips a stage that differs from the stored stages. Stages have no versions, so both stages would count.
      if (trace.typeId === SLEEP_ITEM) return !storedStages.has(traceKey(trace));
      return !starts.has(Math.round(trace.startMs));
    }),
  );
  const doubled = await overlappingItems(context, provider, deletions, items);
  return {
    remaining: deletions.filter((deletion) => 'id' in deletion && !isEdit(deletion)),
    skipped: deletedEarlierOf([...deletedLater, ...moved, ...doubled]),
  };
}

/**
 * Returns the batch's items that overlap a different stored item in one of the ranges. Both items would count, because
 * the batch's range no longer deletes the stored item.
 */
async function overlappingItems(
  context: BatchContext,
  provider: ProviderId,
  deletions: readonly PushedDeletion[],
  items: readonly ArrivingItem[],
): Promise<ArrivingItem[]> {
  const stored = await findTracesInRanges(context, provider, deletions);
  const equal = new Set(stored.map(traceKey));
  const spans = new Map([...groupedBy(stored, seriesOf)].map(([series, own]) => [series, unionOf(own.map(spanOf))]));
  return items.filter(
    ({ trace }) =>
      trace !== undefined &&
      !equal.has(traceKey(trace)) &&
      overlapsAny(spans.get(seriesOf(trace)) ?? [], spanOf(trace)),
  );
}

/**
 * Returns the batch's items that start in a range that a later batch deleted, and the scores of nights that lose all of
 * their stages.
 */
async function itemsDeletedLater(
  { client, userKey }: BatchContext,
  { provider, receivedAtMs }: { provider: ProviderId; receivedAtMs?: number },
  items: readonly ArrivingItem[],
): Promise<ArrivingItem[]> {
  if (receivedAtMs === undefined) return [];
  const ranges = await rangesDeletedSince(client, userKey, { provider, receivedAtMs });
  const keyOf = ({ typeId, sourceId }: { typeId: number; sourceId: number }) => `${typeId} ${sourceId}`;
  const spans = new Map(
    [...groupedBy(ranges, keyOf)].map(([key, own]) => [
      key,
      unionOf(own.map(({ startMs, endMs }): Interval => [startMs, endMs])),
    ]),
  );
  if (spans.size === 0) return [];
  const isDeleted = ({ trace }: ArrivingItem) =>
    trace !== undefined && isWithin(spans.get(keyOf(trace)) ?? [], trace.startMs);
  const deleted = items.filter(isDeleted);
  const idsOf = (some: readonly ArrivingItem[]) => new Set(some.flatMap(({ ids }) => ids.map(({ key }) => key)));
  const deletedIds = idsOf(deleted);
  const remainingIds = idsOf(items.filter((item) => item.trace !== undefined && !isDeleted(item)));
  const scores = items.filter(
    ({ trace, ids }) => trace === undefined && ids.some(({ key }) => deletedIds.has(key) && !remainingIds.has(key)),
  );
  return [...deleted, ...scores];
}

/** Time in bed is separate, because sleep during it does not count twice. */
function seriesOf({ typeId, sourceId, isInBed = false }: SpannedTrace): string {
  return `${typeId} ${sourceId} ${isInBed}`;
}

/**
 * Returns the item's span in whole seconds, because equal items are matched by second. An item within one second keeps
 * its milliseconds; a reading takes one millisecond.
 */
function spanOf({ startMs, endMs }: { startMs: number; endMs: number }): Interval {
  const [from, to] = [startMs, endMs].map((ms) => ms - (ms % 1000)) as [number, number];
  return from < to ? [from, to] : [startMs, Math.max(endMs, startMs + 1)];
}
