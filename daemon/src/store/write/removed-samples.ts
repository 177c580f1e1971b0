import { readSpans } from '../facts/samples/sample-reader.js';
import { type SampleRows, type SampleSpan, localDayOf, sampleKeyOf } from '../facts/samples/sample-rows.js';
import { deleteKeys } from '../facts/samples/sample-store.js';
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
  const gone: number[] = [];
  for (let row = 0; row < stored.length; row++) if (isGone(row)) gone.push(row);
  await deleteKeys(
    client,
    userKey,
    gone.map((row) => sampleKeyOf(stored, row)),
  );
  for (const row of gone) {
    removed.days.add(stored.typeId[row] as number, stored.sourceId[row] as number, localDayOf(stored, row, timeline));
  }
  return { ...removed, samples: gone.length };
}
