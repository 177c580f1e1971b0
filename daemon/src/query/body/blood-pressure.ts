import { round } from '@healthd/model';
import type { BloodPressure } from '@healthd/schemas';
import type { Priorities } from '../../priorities/index.js';
import { selectSource } from '../selection/select-source.js';
import { ruleSource } from '../sources.js';
import type { PressureRow } from './body.sql.js';

/**
 * The readings of the source that measured last, where each value is of one reading. Only its own count, so that a cuff whose values a second application
 * copies is not counted twice; extremes are given from two readings on.
 */
export function bloodPressure(
  nearestFirst: readonly PressureRow[],
  priorities: Priorities,
): { reading: BloodPressure; at: Date } | undefined {
  const rows = eachValueOnce(nearestFirst);
  const lastMs = Math.max(...rows.map((row) => row.at.getTime()));
  const candidates = rows
    .filter((row) => row.at.getTime() === lastMs)
    .map((row) => ({ source: ruleSource(row), lead: 1, row }));
  const newest = selectSource(candidates, { priorities, enough: 'any', isSum: false }).winner?.row;
  if (!newest) return undefined;
  const own = rows.filter((row) => row.source_id === newest.source_id);
  const systolic = own.map((row) => row.systolic);
  const diastolic = own.map((row) => row.diastolic);
  const extreme = (of: (...values: number[]) => number, values: number[]) =>
    own.length > 1 ? round(of(...values)) : null;
  return {
    at: newest.at,
    reading: {
      avg_systolic_mmhg: mean(systolic),
      avg_diastolic_mmhg: mean(diastolic),
      max_systolic_mmhg: extreme(Math.max, systolic),
      max_diastolic_mmhg: extreme(Math.max, diastolic),
      min_systolic_mmhg: extreme(Math.min, systolic),
      min_diastolic_mmhg: extreme(Math.min, diastolic),
      reading_count: own.length,
    },
  };
}

/** Rows of which no value is in a row before. */
function eachValueOnce(rows: readonly PressureRow[]): PressureRow[] {
  const used = new Set<string>();
  return rows.filter(({ source_id: source, systolic_key: systolic, diastolic_key: diastolic }) => {
    const keys = [`${source} systolic ${systolic}`, `${source} diastolic ${diastolic}`];
    if (keys.some((key) => used.has(key))) return false;
    for (const key of keys) used.add(key);
    return true;
  });
}

function mean(values: readonly number[]): number {
  return round(values.reduce((sum, value) => sum + value, 0) / values.length);
}
