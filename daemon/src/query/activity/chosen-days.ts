import type { Priorities } from '../../priorities/index.js';
import { chooseSources } from './choose-sources.js';
import type { DayValueRow } from './day-value-row.js';
import type { ChosenDay } from './merge-families.js';

/** Days with the sources chosen on them. The values arrive day by day. */
export function chosenDays(rows: readonly DayValueRow[], priorities: Priorities): ChosenDay[] {
  const byDate = new Map<string, DayValueRow[]>();
  for (const row of rows) {
    const day = byDate.get(row.local_date);
    if (day) day.push(row);
    else byDate.set(row.local_date, [row]);
  }
  return [...byDate].map(([date, values]) => ({
    date,
    values,
    chosen: chooseSources(values, priorities),
  }));
}
