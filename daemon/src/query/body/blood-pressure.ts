import { round } from '@healthd/model';
import type { BloodPressure } from '@healthd/schemas';
import { groupedBy } from '../../platform/grouped-by.js';
import type { Priorities } from '../../priorities/index.js';
import { ruleSource } from '../../store/facts/index.js';
import { type DatedCandidate, selectNewest } from '../selection/select-newest.js';
import type { Selection } from '../selection/select-source.js';
import type { PressureRow } from './body.sql.js';

/** The readings of one source. */
export interface PressureCandidate extends DatedCandidate {
  row: PressureRow;
  reading: BloodPressure;
}

/**
 * Selects the source with the newest reading. Other sources do not count, because they may contain copies of its
 * readings. Minimum and maximum need two readings.
 */
export function bloodPressure(
  nearestFirst: readonly PressureRow[],
  priorities: Priorities,
): Selection<PressureCandidate> {
  const bySource = groupedBy(eachValueOnce(nearestFirst), (row) => row.source_id);
  return selectNewest(
    [...bySource.values()].map((own) => {
      const reading = readingOf(own);
      const row = own.reduce((newest, one) => (one.at > newest.at ? one : newest));
      return { source: ruleSource(row), lead: reading.avg_systolic_mmhg, at: row.at, isProfile: false, row, reading };
    }),
    priorities,
  );
}

function readingOf(own: readonly PressureRow[]): BloodPressure {
  const systolic = own.map((row) => row.systolic);
  const diastolic = own.map((row) => row.diastolic);
  const extreme = (of: (...values: number[]) => number, values: number[]) =>
    own.length > 1 ? round(of(...values)) : null;
  return {
    avg_systolic_mmhg: mean(systolic),
    avg_diastolic_mmhg: mean(diastolic),
    max_systolic_mmhg: extreme(Math.max, systolic),
    max_diastolic_mmhg: extreme(Math.max, diastolic),
    min_systolic_mmhg: extreme(Math.min, systolic),
    min_diastolic_mmhg: extreme(Math.min, diastolic),
    reading_count: own.length,
  };
}

/** Drops rows that reuse a systolic or diastolic value of an earlier row. */
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
