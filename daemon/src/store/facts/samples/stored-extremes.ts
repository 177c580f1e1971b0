import { type Extremes, MAX_OFFSET_MS, MS_PER_DAY } from '@healthd/model';
import type pg from 'pg';
import { SAMPLE_EXTREMES, SAMPLE_START } from './sample-batch-columns.js';
import { FIND_EXTREMES, REMOVE_EXTREMES, STORE_EXTREMES } from './sample-extremes.sql.js';
import type { SampleKey } from './sample-rows.js';

export type StoredExtremes = SampleKey & Extremes;

/** Finds the extremes of samples that start at the same instants. */
export async function findExtremes(
  client: pg.ClientBase,
  userKey: number,
  keys: readonly Omit<SampleKey, 'slot'>[],
): Promise<StoredExtremes[]> {
  if (keys.length === 0) return [];
  const { rows } = await client.query<StoredExtremes>({
    name: 'records-find-extremes',
    text: FIND_EXTREMES,
    values: [userKey, ...SAMPLE_START.values(keys)],
  });
  return rows.map((row) => ({ ...row, startMs: Math.round(row.startMs) }));
}

/** Stores extremes. A sample may occur only once and must already be stored. */
export async function storeExtremes(
  client: pg.ClientBase,
  userKey: number,
  extremes: readonly StoredExtremes[],
): Promise<void> {
  if (extremes.length === 0) return;
  await client.query({
    name: 'records-store-extremes',
    text: STORE_EXTREMES,
    values: [userKey, ...SAMPLE_EXTREMES.values(extremes)],
  });
}

/** Deletes the extremes of deleted samples. */
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

/**
 * Returns the parameters of statements on a range: types, and the instants that the range's first and last day may
 * extend to.
 */
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
