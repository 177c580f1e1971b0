import type pg from 'pg';
import { copyInto } from '../../../platform/database/index.js';
import { archivedAmong } from '../archived/minute-store.js';
import type { WriteContext } from '../write-context.js';
import { deleteKeys, updateInPlace } from './change-samples.js';
import { FATE, type Identified, type ReplacedSample } from './identified.js';
import { sampleCopyBatch } from './sample-columns.js';
import { rowsWhere, type SampleRows } from './sample-rows.js';

/**
 * Stores a batch's rows: new ones are inserted, differing ones updated, equal ones and those that count as
 * archived (see {@link markArchived}) left alone. A row whose key changes, as when an id becomes known, is deleted and
 * inserted again.
 *
 * Measured on 2 cores shared with Postgres 18, 1.2 million samples in batches of 50,000, ratio to the floor of the same
 * run (COPY into a temporary table, then an upsert, without roll-ups: 180,000 to 230,000 rows/s): this with all
 * roll-ups 1.8, sent a second time 4.4. COPY straight into the table, which rows proven new may take, is 2.6.
 */
export async function storeSamples(client: pg.ClientBase, userKey: number, identified: Identified): Promise<void> {
  const { rows, fates, replaced, removed } = identified;
  const moved = replaced.filter((one) => isMoved(rows, one));
  await deleteKeys(client, userKey, rows, [
    ...moved.map(({ row, oldStartMs, oldSlot }) => ({ row, startMs: oldStartMs, slot: oldSlot })),
    ...removed,
  ]);
  const isMovedRow = new Uint8Array(rows.length);
  for (const { row } of moved) isMovedRow[row] = 1;
  const stored = rowsWhere(rows.length, (row) => fates[row] === FATE.insert || isMovedRow[row] === 1);
  if (stored.length > 0) {
    const positions = stored.length === rows.length ? undefined : stored;
    await copyInto(client, 'sample', [sampleCopyBatch(userKey, rows, positions)]);
  }
  await updateInPlace(
    client,
    userKey,
    rows,
    replaced.filter((one) => !isMoved(rows, one)),
  );
}

/** Finds out which new rows count as archived: they are not stored. */
export async function markArchived(context: WriteContext, identified: Identified): Promise<void> {
  const { rows, fates } = identified;
  const inserted = rowsWhere(rows.length, (row) => fates[row] === FATE.insert);
  for (const row of await archivedAmong(context, rows, inserted)) {
    identified.set(row, 'archived');
  }
}

function isMoved(rows: SampleRows, { row, oldStartMs, oldSlot }: ReplacedSample): boolean {
  return rows.startMs[row] !== oldStartMs || rows.slot[row] !== oldSlot;
}
