import type pg from 'pg';
import type { DayBounds } from '../bounds.js';
import { type SourceRow, sourcesOf } from '../sources.js';
import { dayValuesAscending, dayValuesDescending, type StoredDayValue } from './day-values.sql.js';

/** One value of a day and type with the source that it comes from. */
export interface DayValueRow extends SourceRow, Omit<StoredDayValue, 'local_date'> {
  local_date: string;
}

/** Which days with activity are wanted: `limit` of them after the position, or before it when descending. */
export interface DayValueQuery extends DayBounds {
  typeIds: readonly number[];
  position: string | null;
  ascending: boolean;
  limit: number;
}

/** All values of a page of days, day by day, and how many days the whole range holds. */
export async function readDayValues(
  pool: pg.Pool,
  userKey: number,
  { typeIds, fromDate, beforeDate, position, ascending, limit }: DayValueQuery,
): Promise<{ rows: DayValueRow[]; days: number }> {
  const statement = ascending ? dayValuesAscending : dayValuesDescending;
  const [{ rows }, sources] = await Promise.all([
    pool.query<StoredDayValue>(statement([userKey, typeIds, fromDate, beforeDate, position, limit])),
    sourcesOf(pool, userKey),
  ]);
  const placed = rows.filter((row): row is StoredDayValue & { local_date: string } => row.local_date !== null);
  return {
    days: rows[0]?.days ?? 0,
    // The driver's rows are completed in place: a year has thousands, and copies of them cost as much as reading them.
    rows: placed.flatMap((row) => {
      const source = sources.get(row.source_id);
      return source ? Object.assign(row, source) : [];
    }),
  };
}
