import { CHANGE, type Change } from '../facts/change.js';
import { DirtyDays } from '../facts/dirty-days.js';
import type { TimelineChange } from './timeline.js';
import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import { inPortions } from '../facts/samples/in-portions.js';
import { allocateRows, localDayOf, type SampleRows } from '../facts/samples/sample-rows.js';
import type { CompleteDays } from '../derived/days/day-refresh.js';
import { ROW_OUTCOME, type Identified } from './identified.js';
import type { GroupedSamples, SampleGroup } from './sample-groups.js';

/** Returns the local days of inserted and replaced samples, and the former days of replaced and removed samples. */
export function* storedDays(identified: Identified, change: TimelineChange): Generator<void, DirtyDays> {
  const { rows, rowOutcomes, replaced, removed } = identified.decision;
  const dirtyDays = new DirtyDays();
  yield* inPortions(rows.length, (from, to) => {
    addInsertedDays(dirtyDays, { rows, rowOutcomes, timeline: change.after, from, to });
  });
  const old = allocateRows(1);
  const touchOld = (row: number, startMs: number, offsetMinutes: number, what: Change) => {
    old.kind[0] = rows.kind[row] as number;
    old.startMs[0] = startMs;
    old.offsetMinutes[0] = offsetMinutes;
    for (const timeline of [change.before, change.after]) {
      const day = localDayOf(old, 0, timeline);
      dirtyDays.add(rows.typeId[row] as number, rows.sourceId[row] as number, day, what);
    }
  };
  yield* inPortions(removed.length, (from, to) => {
    for (const { row, startMs, offsetMinutes } of removed.slice(from, to)) {
      touchOld(row, startMs, offsetMinutes, CHANGE.replaced);
    }
  });
  yield* inPortions(replaced.length, (from, to) => {
    for (const { row, oldStartMs, oldOffsetMinutes, isStale } of replaced.slice(from, to)) {
      if (!isStale) continue;
      addDay(dirtyDays, rows, row, change.after, CHANGE.corrected);
      touchOld(row, oldStartMs, oldOffsetMinutes, CHANGE.corrected);
    }
  });
  return dirtyDays;
}

function addInsertedDays(
  days: DirtyDays,
  {
    rows,
    rowOutcomes,
    timeline,
    from,
    to,
  }: { rows: SampleRows; rowOutcomes: Uint8Array; timeline: OffsetTimeline; from: number; to: number },
): void {
  for (let row = from; row < to; row++)
    if (rowOutcomes[row] === ROW_OUTCOME.insert) addDay(days, rows, row, timeline, CHANGE.created);
}

function addDay(days: DirtyDays, rows: SampleRows, row: number, timeline: OffsetTimeline, change: Change): void {
  days.add(rows.typeId[row] as number, rows.sourceId[row] as number, localDayOf(rows, row, timeline), change);
}

/** Returns the local days of stored samples that get another slot but keep their values. */
export function* renamedDays(identified: Identified, { after }: TimelineChange): Generator<void, DirtyDays> {
  const { rows, replaced } = identified.decision;
  const days = new DirtyDays();
  yield* inPortions(replaced.length, (from, to) => {
    for (const { row, isStale } of replaced.slice(from, to)) {
      if (!isStale) addDay(days, rows, row, after, CHANGE.corrected);
    }
  });
  return days;
}

/** Returns the local days of corrected rows. */
export function daysOfRows(rows: SampleRows, positions: readonly number[], timeline: OffsetTimeline): DirtyDays {
  const days = new DirtyDays();
  for (const row of positions) addDay(days, rows, row, timeline, CHANGE.corrected);
  return days;
}

/**
 * Returns the days whose samples are all in the batch: the table contains no samples between or near the day's rows.
 */
export function* completeDays(
  { rows, rowOutcomes }: Identified,
  { groups, groupOfRow }: GroupedSamples,
  timeline: OffsetTimeline,
): Generator<void, CompleteDays> {
  const reaches = groups.map(({ previousMs, nextMs }) => ({
    after: previousMs === undefined ? Number.NEGATIVE_INFINITY : timeline.latestDay(previousMs),
    before: nextMs === undefined ? Number.POSITIVE_INFINITY : timeline.earliestDay(nextMs),
  }));
  const found = { days: new DirtyDays(), positions: new Uint32Array(rows.length), count: 0 };
  yield* inPortions(rows.length, (from, to) => {
    addCompleteDays(found, { rows, rowOutcomes, groups, groupOfRow, reaches, timeline, from, to });
  });
  const { days, positions, count } = found;
  return { days, rows, positions: positions.subarray(0, count) };
}

function addCompleteDays(
  found: { days: DirtyDays; positions: Uint32Array; count: number },
  {
    rows,
    rowOutcomes,
    groups,
    groupOfRow,
    reaches,
    timeline,
    from,
    to,
  }: GroupedSamples & {
    rows: SampleRows;
    rowOutcomes: Uint8Array;
    /** Days of the nearest stored samples around each group. */
    reaches: readonly { after: number; before: number }[];
    timeline: OffsetTimeline;
    from: number;
    to: number;
  },
): void {
  for (let row = from; row < to; row++) {
    const index = groupOfRow[row] as number;
    const group = groups[index] as SampleGroup;
    if (group.overlaps || rowOutcomes[row] !== ROW_OUTCOME.insert) continue;
    const { after, before } = reaches[index] as { after: number; before: number };
    const day = localDayOf(rows, row, timeline);
    if (day <= after || day >= before) continue;
    found.days.add(group.typeId, group.sourceId, day);
    found.positions[found.count++] = row;
  }
}
