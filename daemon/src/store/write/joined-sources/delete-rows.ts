import type pg from 'pg';
import { type SampleRows, sampleKeyOf } from '../../facts/samples/sample-rows.js';
import { deleteKeys } from '../../facts/samples/sample-store.js';

/** Number of keys per statement. */
const AT_ONCE = 20_000;

/** Deletes the stored samples of these rows. */
export async function deleteRows(client: pg.ClientBase, userKey: number, rows: SampleRows): Promise<void> {
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const count = Math.min(AT_ONCE, rows.length - from);
    const keys = Array.from({ length: count }, (_, index) => sampleKeyOf(rows, from + index));
    await deleteKeys(client, userKey, keys);
  }
}
