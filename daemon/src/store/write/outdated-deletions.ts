import { type PushedDeletion, pushedIdKey, type RecordBatch } from '@healthd/model';
import type { ResolvedSources } from '../facts/sources/resolved-source.js';
import { type BuriedItems, buriedOf, itemsOf, NOTHING_BURIED } from './buried-items.js';
import { findByIds, idEntries } from './find-pushed-items.js';
import type { BatchContext } from './load-context.js';
import { pushedSourcesOf } from './pushed-deletions.js';

/**
 * Drops deletions that could delete data that arrived after their batch. Only a batch that is older than the stored
 * data is affected: its ranges may contain newer items, and an item that it edits may have been edited since. Keeps the
 * deletion of a deleted id, because no newer item has that id.
 * @returns the other deletions, and edited items that are stored with another start
 */
export async function outdatedDeletions(
  context: BatchContext,
  batch: RecordBatch,
  sources: ResolvedSources,
  deletions: readonly PushedDeletion[],
): Promise<{ remaining: PushedDeletion[]; moved: BuriedItems }> {
  const provider = batch.pushedBy?.provider;
  if (!context.options.keepStored || deletions.length === 0 || provider === undefined) {
    return { remaining: [...deletions], moved: NOTHING_BURIED };
  }
  const items = itemsOf(batch, sources);
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
  const moved = items.filter(({ ids, trace }) =>
    ids.some(({ key }) => {
      const starts = storedStarts.get(key);
      return starts !== undefined && trace !== undefined && !starts.has(Math.round(trace.startMs));
    }),
  );
  return { remaining: deletions.filter((deletion) => 'id' in deletion && !isEdit(deletion)), moved: buriedOf(moved) };
}
