import { deleteKeys } from '../facts/samples/change-samples.js';
import { readSpans, type SampleSpan } from '../facts/samples/sample-reader.js';
import { localDayOf, type SampleRows } from '../facts/samples/sample-rows.js';
import type { WriteContext } from '../facts/write-context.js';
import { nothingRemoved, type Removed } from './removed.js';

/** Removes stored samples of some sources. @param isGone is asked once of each, in the order of the table's key */
export async function removeSamples(
  context: WriteContext,
  sourceIds: readonly number[],
  spans: readonly SampleSpan[],
  isGone: (stored: SampleRows, row: number) => boolean,
): Promise<Removed> {
  const stored = await readSpans(context.client, context.userKey, sourceIds, spans);
  return removeRows(context, stored, (row) => isGone(stored, row));
}

/** Removes those of some stored samples that a condition holds for. */
export async function removeRows(
  { client, userKey, timeline }: WriteContext,
  stored: SampleRows,
  isGone: (row: number) => boolean,
): Promise<Removed> {
  const removed = nothingRemoved();
  const gone: { row: number; startMs: number; slot: number }[] = [];
  for (let row = 0; row < stored.length; row++) {
    if (!isGone(row)) continue;
    gone.push({ row, startMs: stored.startMs[row] as number, slot: stored.slot[row] as number });
  }
  await deleteKeys(client, userKey, stored, gone);
  for (const { row } of gone) {
    removed.days.add(stored.typeId[row] as number, stored.sourceId[row] as number, localDayOf(stored, row, timeline));
  }
  return { ...removed, samples: gone.length };
}
