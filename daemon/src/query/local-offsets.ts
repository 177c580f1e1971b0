import { formatOffset } from '@healthd/model';
import type pg from 'pg';
import { loadTimeline } from '../store/facts/index.js';

/**
 * At which offset from UTC each of the rows is dated, as `±HH:MM`: its own one, else the one that the writer dates it by.
 * What is known of the user's offsets is read only where a row has none.
 * @param datedAt the instant that dates a row, in epoch milliseconds: of nights and workouts the end
 */
export async function localOffsets<Row extends { offset_minutes: number | null }>(
  pool: pg.Pool,
  userKey: number,
  rows: readonly Row[],
  datedAt: (row: Row) => number,
): Promise<(row: Row) => string> {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    if (row.offset_minutes !== null) continue;
    first = Math.min(first, datedAt(row));
    last = Math.max(last, datedAt(row));
  }
  const timeline = first <= last ? await loadTimeline(pool, userKey, first, last) : undefined;
  return (row) => formatOffset(row.offset_minutes ?? timeline?.offsetAt(datedAt(row)) ?? 0);
}
