import { formatOffset, fromDayNumber, MS_PER_DAY } from '@healthd/model';
import type pg from 'pg';
import { statement } from '../platform/database/index.js';
import { loadTimeline } from '../store/facts/index.js';
import { daysAfter, sqlInstant } from './bounds.js';
import { nearestOffset } from './nearest-offset.js';

/**
 * Returns the UTC offset of each row in minutes: its own, or the offset from which the store derives its local date.
 * Reads the offset timeline of the user only if a row has no offset.
 * @param datedAt the instant that dates a row, in epoch milliseconds: the end of nights and workouts
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

/** Returns the offsets of {@link localMinutes} as `±HH:MM`. */
export async function localOffsets<Row extends { offset_minutes: number | null }>(
  pool: pg.Pool,
  userKey: number,
  rows: readonly Row[],
  datedAt: (row: Row) => number,
): Promise<(row: Row) => string> {
  const minutesOf = await localMinutes(pool, userKey, rows, datedAt);
  return (row) => formatOffset(minutesOf(row));
}

/** Returns SQL for the local date of user $1 at an instant. @param instant SQL expression of the instant */
export function localDateSql(instant: string): string {
  return `select (${instant} at time zone 'UTC' + coalesce(near.offset_minutes, 0) * interval '1 minute')::date as date
   from (${nearestOffset(instant, 'true')}) near`;
}

/** Parameters: user, instant. */
const dateAt = statement('local_date_at', localDateSql('$2::timestamptz'));

/** Reads the user's local date at an instant. */
export async function localDateAt(pool: pg.Pool, userKey: number, ms: number): Promise<string> {
  const { rows } = await pool.query<{ date: string }>(dateAt([userKey, sqlInstant(ms)]));
  return rows[0]?.date ?? fromDayNumber(Math.floor(ms / MS_PER_DAY));
}

/** True for the user's today and yesterday, whose figures may change until all sources have synced. */
export async function mayChange(pool: pg.Pool, userKey: number, date: string): Promise<boolean> {
  return date >= daysAfter(await localDateAt(pool, userKey, Date.now()), -1);
}
