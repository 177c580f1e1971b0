import { type Extremes, MAX_OFFSET_MS, MS_PER_DAY } from '@healthd/model';
import type pg from 'pg';
import { SAMPLE_EXTREMES } from './sample-batch-columns.js';
import { REMOVE_EXTREMES, STORE_EXTREMES } from './sample-extremes.sql.js';

/** Extremes with the key of their sample. */
export interface StoredExtremes extends Extremes {
  typeId: number;
  sourceId: number;
  slot: number;
  startMs: number;
}

/** The extremes that a batch gives of a sample, which is known by its value: its slot may change. */
export interface GivenExtremes extends Extremes {
  typeId: number;
  sourceId: number;
  kind: number;
  startMs: number;
  value: number;
  /** Position of the sample among the batch's rows. */
  at: number;
}

/** Stores extremes of samples, which must be stored. @returns the positions of those that are new */
export async function storeExtremes(
  client: pg.ClientBase,
  userKey: number,
  given: readonly GivenExtremes[],
): Promise<number[]> {
  if (given.length === 0) return [];
  const { rows } = await client.query<{ at: number }>({
    name: 'records-store-extremes',
    text: STORE_EXTREMES,
    values: [userKey, ...SAMPLE_EXTREMES.values(given)],
  });
  return rows.map(({ at }) => at);
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
