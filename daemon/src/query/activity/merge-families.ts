import { MERGED_TYPE_IDS } from '@healthd/model';
import type pg from 'pg';
import type { Priorities } from '../../priorities/index.js';
import type { Winner } from './choose-sources.js';
import type { DayValueRow } from './day-value-row.js';
import { FAMILIES, type Family } from './families.js';
import { MergedTotals } from './merged-totals.js';

/** One day with all of its values, and the source chosen for each family. */
export interface ChosenDay {
  date: string;
  values: readonly DayValueRow[];
  chosen: Record<Family, Winner | undefined>;
}

const MERGED_FAMILIES = ['movement', 'energy'] as const;

/** The days with amounts merged over all sources of the chosen provider of each family. */
export async function withMergedTotals(
  pool: pg.Pool,
  userKey: number,
  days: readonly ChosenDay[],
  priorities: Priorities,
): Promise<ChosenDay[]> {
  const wanted = days.flatMap((day) =>
    MERGED_FAMILIES.flatMap((family) => {
      const rows = mergedRows(day, family);
      const provider = day.chosen[family]?.source.provider;
      return provider === undefined ? [] : [{ date: day.date, provider, typeIds: [...rows.keys()] }];
    }),
  );
  const totals = await MergedTotals.load(pool, userKey, wanted, priorities);
  const merged = (day: ChosenDay, family: Family): Winner | undefined => {
    const winner = day.chosen[family];
    if (!winner) return undefined;
    const values = new Map(winner.values);
    for (const [typeId, row] of mergedRows(day, family)) {
      const total = totals.get(day.date, winner.source.provider, typeId);
      if (total !== undefined) values.set(typeId, withSum(row, total));
    }
    return { ...winner, values };
  };
  return days.map((day) => ({
    ...day,
    chosen: { ...day.chosen, movement: merged(day, 'movement'), energy: merged(day, 'energy') },
  }));
}

/** A value as if it were the sum of ordinary samples. */
export function withSum(row: DayValueRow, sum: number): DayValueRow {
  return { ...row, sample_sum: sum, total_sum: null, total_count: 0 };
}

/** Series of the family that can be merged and that any source of its provider has, each with one of the values. */
function mergedRows(day: ChosenDay, family: Family): Map<number, DayValueRow> {
  const provider = day.chosen[family]?.source.provider;
  const rows = day.values.filter(
    (row) =>
      row.provider === provider && FAMILIES[family].includes(row.type_id) && MERGED_TYPE_IDS.includes(row.type_id),
  );
  return new Map(rows.map((row) => [row.type_id, row]));
}
