import { DirtyDays } from '../facts/dirty-days.js';
import type { TimelineChange } from './timeline.js';
import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import { allocateRows, localDayOf, type SampleRows } from '../facts/samples/sample-rows.js';
import type { CompleteDays } from '../derived/days/day-refresh.js';
import { FATE, type Identified } from './identified.js';
import type { GroupedSamples, SampleGroup } from './sample-groups.js';

/** Number of rows processed between two yields to the event loop. Processing them takes a few milliseconds. */
const ROWS_AT_ONCE = 16_384;

/** Returns the local days of inserted and replaced samples, and the former days of the replaced samples. */
export function* storedDays(identified: Identified, change: TimelineChange): Generator<void, DirtyDays> {
  const { rows, fates, replaced, removed } = identified.decision;
  const dirtyDays = new DirtyDays();
  const touch = (row: number) =>
    dirtyDays.add(rows.typeId[row] as number, rows.sourceId[row] as number, localDayOf(rows, row, change.after));
  for (let row = 0; row < rows.length; row++) {
    if (row % ROWS_AT_ONCE === 0) yield;
    if (fates[row] === FATE.insert) touch(row);
  }
  const old = allocateRows(1);
  const touchOld = (row: number, startMs: number, offsetMinutes: number) => {
    old.kind[0] = rows.kind[row] as number;
    old.startMs[0] = startMs;
    old.offsetMinutes[0] = offsetMinutes;
    for (const timeline of [change.before, change.after]) {
      dirtyDays.add(rows.typeId[row] as number, rows.sourceId[row] as number, localDayOf(old, 0, timeline));
    }
  };
  for (const [at, { row, startMs, offsetMinutes }] of removed.entries()) {
    if (at % ROWS_AT_ONCE === 0) yield;
    touchOld(row, startMs, offsetMinutes);
  }
  for (const [at, { row, oldStartMs, oldOffsetMinutes, isStale }] of replaced.entries()) {
    if (at % ROWS_AT_ONCE === 0) yield;
    if (!isStale) continue;
    touch(row);
    touchOld(row, oldStartMs, oldOffsetMinutes);
  }
  return dirtyDays;
}

export function daysOfRows(rows: SampleRows, positions: readonly number[], timeline: OffsetTimeline): DirtyDays {
  const days = new DirtyDays();
  for (const row of positions) {
    days.add(rows.typeId[row] as number, rows.sourceId[row] as number, localDayOf(rows, row, timeline));
  }
  return days;
}

/**
 * Returns the days whose samples are all in the batch: the table contains no samples between or near the day's rows.
 */
export function* completeDays(
  { rows, fates }: Identified,
  { groups, groupOfRow }: GroupedSamples,
  timeline: OffsetTimeline,
): Generator<void, CompleteDays> {
  const days = new DirtyDays();
  const positions = new Uint32Array(rows.length);
  let count = 0;
  const reaches = groups.map(({ previousMs, nextMs }) => ({
    after: previousMs === undefined ? Number.NEGATIVE_INFINITY : timeline.latestDay(previousMs),
    before: nextMs === undefined ? Number.POSITIVE_INFINITY : timeline.earliestDay(nextMs),
  }));
  for (let row = 0; row < rows.length; row++) {
    if (row % ROWS_AT_ONCE === 0) yield;
    const index = groupOfRow[row] as number;
    const group = groups[index] as SampleGroup;
    if (group.overlaps || fates[row] !== FATE.insert) continue;
    const { after, before } = reaches[index] as { after: number; before: number };
    const day = localDayOf(rows, row, timeline);
    if (day <= after || day >= before) continue;
    days.add(group.typeId, group.sourceId, day);
    positions[count++] = row;
  }
  return { days, rows, positions: positions.subarray(0, count) };
}
