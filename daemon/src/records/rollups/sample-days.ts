import type { TimelineChange } from '../offset-days.js';
import type { OffsetTimeline } from '../offset-timeline.js';
import type { SampleGroup } from '../samples/sample-groups.js';
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
  for (let index = 0; index < stored.inserted.length; index++) touch(stored.inserted[index] as number);
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
  const positions = new Uint32Array(rows.length);
  let count = 0;
  const reaches = stored.groups.map(({ previousMs, nextMs }) => ({
    after: previousMs === undefined ? Number.NEGATIVE_INFINITY : timeline.latestDay(previousMs),
    before: nextMs === undefined ? Number.POSITIVE_INFINITY : timeline.earliestDay(nextMs),
  }));
  for (let row = 0; row < rows.length; row++) {
    const index = stored.groupOfRow[row] as number;
    const group = stored.groups[index] as SampleGroup;
    if (group.overlaps || stored.archived.has(row)) continue;
    const { after, before } = reaches[index] as { after: number; before: number };
    const day = localDayOf(rows, row, timeline);
    if (day <= after || day >= before) continue;
    days.add(group.typeId, group.sourceId, day);
    positions[count++] = row;
  }
  return { days, rows, positions: positions.subarray(0, count) };
}
