import type pg from 'pg';
import type { DayBounds } from '../bounds.js';
import type { SourceRow } from '../sources.js';
import type { SleptRow } from './asleep.sql.js';
import type { DayValueRow } from './day-value-row.js';
import { dayValuesAscending, dayValuesDescending, type StoredDayValues } from './day-values.sql.js';
import type { ElevationRow } from './elevation.sql.js';
import { listedValues } from './listed-values.js';

/** Which days with activity are wanted: `limit` of them after the position, or before it when descending. */
export interface DayValueQuery extends DayBounds {
  typeIds: readonly number[];
  position: string | null;
  ascending: boolean;
  /** Null for all days. */
  limit: number | null;
}

/** All values of a page of days, day by day, and what else summaries know of these days. */
export interface DayValues {
  rows: DayValueRow[];
  /** How many days the whole range holds. */
  days: number;
  birthDate: string | null;
  /** Nights and naps that may touch the days. */
  nights: readonly SleptRow[];
  /** What sources climbed on the days in workouts. */
  climbs: readonly (ElevationRow & SourceRow)[];
}

export async function readDayValues(
  pool: pg.Pool,
  userKey: number,
  { typeIds, fromDate, beforeDate, position, ascending, limit }: DayValueQuery,
): Promise<DayValues> {
  const statement = ascending ? dayValuesAscending : dayValuesDescending;
  const { rows } = await pool.query<StoredDayValues>(
    statement([userKey, typeIds, fromDate, beforeDate, position, limit]),
  );
  const [stored] = rows;
  if (!stored) return { rows: [], days: 0, birthDate: null, nights: [], climbs: [] };
  const sources = new Map(stored.sources?.map((source) => [source.source_id, source]));
  return {
    rows: listedValues(stored, sources),
    days: stored.days,
    birthDate: stored.birth_date,
    nights: stored.nights ?? [],
    climbs: (stored.climbs ?? []).flatMap((climb) => {
      const source = sources.get(climb.source_id);
      return source ? { ...source, ...climb } : [];
    }),
  };
}
