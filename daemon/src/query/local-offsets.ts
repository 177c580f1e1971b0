import { formatOffset } from '@healthd/model';
import type pg from 'pg';
import { loadTimeline } from '../store/facts/index.js';

/**
 * The offset from UTC by which each of the rows is dated, in minutes: its own, else the one that the writer dates it by. What
 * is known of the user's offsets is read only if a row has none.
 * @param datedAt the instant that dates a row, in epoch milliseconds: of nights and workouts the end
 */
export async function localMinutes<Row extends { offset_minutes: number | null }>(
  pool: pg.Pool,
  userKey: number,
  rows: readonly Row[],
  datedAt: (row: Row) => number,
): Promise<(row: Row) => number> {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    if (row.offset_minutes !== null) continue;
    first = Math.min(first, datedAt(row));
    last = Math.max(last, datedAt(row));
  }
  const timeline = first <= last ? await loadTimeline(pool, userKey, first, last) : undefined;
  return (row) => row.offset_minutes ?? timeline?.offsetAt(datedAt(row)) ?? 0;
}

/** The same as `±HH:MM`. */
export async function localOffsets<Row extends { offset_minutes: number | null }>(
  pool: pg.Pool,
  userKey: number,
  rows: readonly Row[],
  datedAt: (row: Row) => number,
): Promise<(row: Row) => string> {
  const minutesOf = await localMinutes(pool, userKey, rows, datedAt);
  return (row) => formatOffset(minutesOf(row));
}
