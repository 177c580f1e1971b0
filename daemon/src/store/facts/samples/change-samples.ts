import type pg from 'pg';
import type { ReplacedSample } from './identified.js';
import { SAMPLE_COLUMNS, SAMPLE_KEY, SAMPLE_KEY_NAMES, sampleRow } from './sample-batch-columns.js';
import type { SampleRows } from './sample-rows.js';

/** Deletes samples by their keys: the series and source of a row, with an instant and slot. @returns how many there were */
export async function deleteKeys(
  client: pg.ClientBase,
  userKey: number,
  rows: SampleRows,
  keys: { row: number; startMs: number; slot: number }[],
): Promise<number> {
  if (keys.length === 0) return 0;
  const deleted = keys.map(({ row, startMs, slot }) => ({ ...sampleRow(rows, row), startMs, slot }));
  const { rowCount } = await client.query({
    name: 'records-delete-samples',
    text: DELETE,
    values: [userKey, ...SAMPLE_KEY.values(deleted)],
  });
  return rowCount ?? 0;
}

/** Writes rows over stored samples whose key stays. */
export async function updateInPlace(
  client: pg.ClientBase,
  userKey: number,
  rows: SampleRows,
  replaced: ReplacedSample[],
): Promise<void> {
  if (replaced.length === 0) return;
  const fresh = replaced.map(({ row }) => sampleRow(rows, row));
  await client.query({
    name: 'records-update-samples',
    text: UPDATE,
    values: [userKey, ...SAMPLE_COLUMNS.values(fresh)],
  });
}

const DELETE = `
delete from sample s using ${SAMPLE_KEY.unnested(2)} where s.user_key = $1 and ${SAMPLE_KEY.matched('s')}`;

const UPDATE = `
update sample s set ${SAMPLE_COLUMNS.updated(SAMPLE_KEY_NAMES)}
  from ${SAMPLE_COLUMNS.unnested(2)}
 where s.user_key = $1 and ${SAMPLE_KEY.matched('s')}`;
