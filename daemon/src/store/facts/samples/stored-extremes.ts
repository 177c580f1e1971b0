import { type Extremes, MAX_OFFSET_MS, MS_PER_DAY, type SampleColumns } from '@healthd/model';
import type pg from 'pg';
import { DirtyDays } from '../dirty-days.js';
import type { WriteContext } from '../write-context.js';
import { SAMPLE_EXTREMES, sampleRow } from './sample-batch-columns.js';
import { REMOVE_EXTREMES, STORE_EXTREMES } from './sample-extremes.sql.js';
import { localDayOf } from './sample-rows.js';
import type { BatchRows } from './sorted-rows.js';

/** Extremes with the key of their sample. */
export interface StoredExtremes extends Extremes {
  typeId: number;
  sourceId: number;
  slot: number;
  startMs: number;
}

/**
 * Stores the extremes that a batch gives of the samples that are stored now, which must be stored.
 * @returns the days of those of which they are new
 */
export async function storeExtremes(
  { client, userKey, timeline }: WriteContext,
  { extremes }: SampleColumns,
  { rows, positions }: BatchRows,
): Promise<DirtyDays> {
  const days = new DirtyDays();
  if (extremes === undefined) return days;
  const given = [...positions.entries()].flatMap(([row, position]) => {
    const own = extremes.get(position);
    return own ? [{ ...sampleRow(rows, row), ...own, kind: rows.kind[row] as number, at: row }] : [];
  });
  const { rows: changed } = await client.query<{ at: number }>({
    name: 'records-store-extremes',
    text: STORE_EXTREMES,
    values: [userKey, ...SAMPLE_EXTREMES.values(given)],
  });
  for (const { at } of changed) {
    days.add(rows.typeId[at] as number, rows.sourceId[at] as number, localDayOf(rows, at, timeline));
  }
  return days;
}

/** Removes the extremes of samples that are no longer there. */
export async function removeOrphanedExtremes(
  client: pg.ClientBase,
  userKey: number,
  range: { typeIds: readonly number[]; firstDay: number; lastDay: number },
): Promise<void> {
  await client.query({
    name: 'records-remove-extremes',
    text: REMOVE_EXTREMES,
    values: [userKey, ...rangeColumns(range)],
  });
}

/** Parameters of statements on a range: types, and instants that days may reach to. */
export function rangeColumns({
  typeIds,
  firstDay,
  lastDay,
}: {
  typeIds: readonly number[];
  firstDay: number;
  lastDay: number;
}) {
  return [typeIds, firstDay * MS_PER_DAY - MAX_OFFSET_MS, (lastDay + 1) * MS_PER_DAY + MAX_OFFSET_MS];
}
