import type { TimelineChange } from '../offset-days.js';
import type { OffsetTimeline } from '../offset-timeline.js';
import { allocateRows, localDayOf, type SampleRows } from '../samples/sample-rows.js';
import type { StoredSamples } from '../samples/sample-store.js';
import type { CompleteDays } from './day-refresh.js';
import { TouchedDays } from './touched-days.js';

/** Adds the local days that inserted and changed rows fall on, and those that changed rows leave. */
export function touchStoredSamples(
  rows: SampleRows,
  stored: StoredSamples,
  change: TimelineChange,
  touched: TouchedDays,
): void {
  const touch = (row: number) =>
    touched.add(rows.typeId[row] as number, rows.sourceId[row] as number, localDayOf(rows, row, change.after));
  for (const row of stored.inserted) touch(row);
  const old = allocateRows(1);
  for (const { row, oldOffsetMinutes } of stored.changed) {
    touch(row);
    old.kind[0] = rows.kind[row] as number;
    old.startMs[0] = rows.startMs[row] as number;
    old.offsetMinutes[0] = oldOffsetMinutes;
    for (const timeline of [change.before, change.after]) {
      touched.add(rows.typeId[row] as number, rows.sourceId[row] as number, localDayOf(old, 0, timeline));
    }
  }
}

/** Days whose samples are all in the batch: nothing was stored among its rows, nor near enough before or after. */
export function completeDays(rows: SampleRows, stored: StoredSamples, timeline: OffsetTimeline): CompleteDays {
  const days = new TouchedDays();
  const positions: number[] = [];
  for (const group of stored.groups) {
    if (group.overlaps) continue;
    const after = group.previousMs === undefined ? Number.NEGATIVE_INFINITY : timeline.latestDay(group.previousMs);
    const before = group.nextMs === undefined ? Number.POSITIVE_INFINITY : timeline.earliestDay(group.nextMs);
    for (const row of group.rows) {
      const day = localDayOf(rows, row, timeline);
      if (day <= after || day >= before) continue;
      days.add(group.typeId, group.sourceId, day);
      positions.push(row);
    }
  }
  return { days, rows, positions };
}
