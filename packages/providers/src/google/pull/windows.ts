import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import type { PullMode, TimeRange } from '../../cloud/index.js';
import type { SeriesType } from './data-type.js';
import { wholeHours } from './hours.js';
import type { LocalDays } from './local-days.js';
import { operationOf, readsSources } from './modes.js';

/** True if the types are read by whole local days: daily values, and types that replace daily values. */
export function isDayWise(types: readonly SeriesType[], mode: PullMode): boolean {
  return types.some((type) => type.form === 'daily' || operationOf(type, mode) === 'dailyRollUp');
}

/** Returns the windows of types that are read together, newest first. */
export function seriesWindows(
  types: readonly [SeriesType, ...SeriesType[]],
  range: TimeRange,
  mode: PullMode,
  days: LocalDays,
): TimeRange[] {
  const byDay = isDayWise(types, mode);
  const chunkDays = Math.min(...types.map((type) => chunkDaysOf(type, mode, byDay)));
  if (byDay) return dayWindows(range, chunkDays, days);
  const [type] = types;
  if (operationOf(type, mode) === 'rollUp') return hourWindows(range, chunkDays);
  return instantWindows(type.form === 'interval' ? reached(range, mode) : range, chunkDays);
}

function chunkDaysOf(type: SeriesType, mode: PullMode, byDay: boolean): number {
  const operation = operationOf(type, mode);
  const isRolledUp = operation === 'rollUp' || operation === 'dailyRollUp';
  if (!isRolledUp || type.rollUpDays === undefined) return type.chunkDays;
  // One local day less than the limit: some accounts include the last date, and one day may have 25 hours.
  return byDay ? type.rollUpDays - 1 : type.rollUpDays;
}

/**
 * Extends a range by an hour on both sides for merged intervals. A later sync of another source moves their bounds, and
 * the extended range covers the old and the new intervals.
 */
function reached(range: TimeRange, mode: PullMode): TimeRange {
  if (range.endMs <= range.startMs) return range;
  const { startMs, endMs } = wholeHours(range);
  return readsSources(mode) ? { startMs, endMs } : { startMs: startMs - MS_PER_HOUR, endMs: endMs + MS_PER_HOUR };
}

/** Extends a range to whole UTC hours and splits it into windows of up to `chunkDays` days, newest first. */
export function hourWindows(range: TimeRange, chunkDays: number): TimeRange[] {
  return range.endMs <= range.startMs ? [] : instantWindows(wholeHours(range), chunkDays);
}

/** Splits a range into windows of up to `chunkDays` days, newest first. */
export function instantWindows({ startMs, endMs }: TimeRange, chunkDays: number): TimeRange[] {
  const windows: TimeRange[] = [];
  for (let end = endMs; end > startMs; end -= chunkDays * MS_PER_DAY) {
    windows.push({ startMs: Math.max(startMs, end - chunkDays * MS_PER_DAY), endMs: end });
  }
  return windows;
}

/** Extends a range to whole local days and splits it into windows of up to `chunkDays` days, newest first. */
export function dayWindows({ startMs, endMs }: TimeRange, chunkDays: number, days: LocalDays): TimeRange[] {
  if (endMs <= startMs) return [];
  const windows: TimeRange[] = [];
  const first = days.dayAt(startMs);
  for (let end = days.dayAt(endMs - 1) + 1; end > first; end -= chunkDays) {
    const start = Math.max(first, end - chunkDays);
    windows.push({ startMs: days.of(start).startMs, endMs: days.of(end).startMs });
  }
  return windows;
}
