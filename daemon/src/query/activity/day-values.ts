import type pg from 'pg';
import type { DayBounds } from '../bounds.js';
import type { SourceRow } from '../sources.js';
import type { SleptRow } from './asleep.sql.js';
import { dayValuesAscending, dayValuesDescending, type NumberColumn, type StoredDayValues } from './day-values.sql.js';
import type { ElevationRow } from './elevation.sql.js';
import { numberList } from './number-list.js';

/** One value of a day and type with the source that it comes from. */
export interface DayValueRow extends SourceRow {
  local_date: string;
  type_id: number;
  sample_sum: number | null;
  sample_min: number | null;
  sample_max: number | null;
  sample_count: number;
  total_sum: number | null;
  total_count: number;
  covered_minutes: number;
}

/** Which days with activity are wanted: `limit` of them after the position, or before it when descending. */
export interface DayValueQuery extends DayBounds {
  typeIds: readonly number[];
  position: string | null;
  ascending: boolean;
  limit: number;
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
    rows: valuesOf(stored, sources),
    days: stored.days,
    birthDate: stored.birth_date,
    nights: stored.nights ?? [],
    climbs: (stored.climbs ?? []).flatMap((climb) => {
      const source = sources.get(climb.source_id);
      return source ? { ...source, ...climb } : [];
    }),
  };
}

function valuesOf(stored: StoredDayValues, sources: ReadonlyMap<number, SourceRow>): DayValueRow[] {
  const listed = (column: NumberColumn) => numberList(stored[column] ?? '');
  /** Of a column without nulls. */
  const known = (column: NumberColumn) => listed(column) as number[];
  const [typeIds, sourceIds, coveredMinutes] = [known('type_id'), known('source_id'), known('covered_minutes')];
  const [sampleCounts, totalCounts] = [known('sample_count'), known('total_count')];
  const [sampleSums, totalSums] = [listed('sample_sum'), listed('total_sum')];
  const [sampleMins, sampleMaxs] = [listed('sample_min'), listed('sample_max')];
  const values: DayValueRow[] = [];
  for (const [at, localDate] of (stored.local_date?.split(',') ?? []).entries()) {
    const source = sources.get(sourceIds[at] as number);
    if (!source) continue;
    // Member by member: a year has thousands of values, and spreading a source into each costs as much as the rest.
    values.push({
      local_date: localDate,
      type_id: typeIds[at] as number,
      source_id: source.source_id,
      provider: source.provider,
      device_model: source.device_model,
      writer: source.writer,
      device_type: source.device_type,
      sample_sum: sampleSums[at] ?? null,
      sample_min: sampleMins[at] ?? null,
      sample_max: sampleMaxs[at] ?? null,
      sample_count: sampleCounts[at] as number,
      total_sum: totalSums[at] ?? null,
      total_count: totalCounts[at] as number,
      covered_minutes: coveredMinutes[at] as number,
    });
  }
  return values;
}
