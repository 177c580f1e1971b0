import type pg from 'pg';
import { deleteKeys } from '../../facts/samples/change-samples.js';
import type { SampleRows } from '../../facts/samples/sample-rows.js';

/** Keys that one statement takes. */
const AT_ONCE = 20_000;

/** Deletes the stored samples that these rows are. */
export async function deleteRows(client: pg.ClientBase, userKey: number, rows: SampleRows): Promise<void> {
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const count = Math.min(AT_ONCE, rows.length - from);
    const keys = Array.from({ length: count }, (_, index) => ({
      row: from + index,
      startMs: rows.startMs[from + index] as number,
      slot: rows.slot[from + index] as number,
    }));
    await deleteKeys(client, userKey, rows, keys);
  }
}
