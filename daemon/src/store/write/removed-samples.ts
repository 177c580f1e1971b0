import { type SampleRows, localDayOf, sampleKeyOf } from '../facts/samples/sample-rows.js';
import { deleteKeys } from '../facts/samples/sample-store.js';
import type { WriteContext } from '../facts/write-context.js';
import { nothingRemoved, type Removed } from './removed.js';

/** Deletes stored samples. */
export async function removeRows({ client, userKey, timeline }: WriteContext, stored: SampleRows): Promise<Removed> {
  const removed = nothingRemoved();
  const keys = Array.from({ length: stored.length }, (_, row) => sampleKeyOf(stored, row));
  await deleteKeys(client, userKey, keys);
  for (let row = 0; row < stored.length; row++) {
    removed.days.add(stored.typeId[row] as number, stored.sourceId[row] as number, localDayOf(stored, row, timeline));
  }
  return { ...removed, samples: keys.length };
}
