import type { TimeRange } from './time-range.js';

/**
 * The same instants in fewer ranges, oldest first: ranges that overlap or are at most `gapMs` apart become one. Far
 * ones stay apart, so that two changes a month apart are not a month to read. Should more than `limit` be left, the
 * nearest are joined until they fit.
 */
export function joinRanges(ranges: readonly TimeRange[], gapMs = 0, limit = Number.POSITIVE_INFINITY): TimeRange[] {
  const sorted = [...ranges].sort((a, b) => a.startMs - b.startMs);
  const gaps = gapsOf(sorted);
  const widest = gaps.length < limit ? gapMs : Math.max(gapMs, nthLargest(gaps, limit));
  const joined: TimeRange[] = [];
  for (const { startMs, endMs } of sorted) {
    const last = joined.at(-1);
    if (last !== undefined && startMs - last.endMs <= widest) last.endMs = Math.max(last.endMs, endMs);
    else joined.push({ startMs, endMs });
  }
  return joined;
}

/** Between each range and all that begin before it. */
function gapsOf(sorted: readonly TimeRange[]): number[] {
  const gaps: number[] = [];
  let reachedMs: number | undefined;
  for (const { startMs, endMs } of sorted) {
    if (reachedMs !== undefined) gaps.push(startMs - reachedMs);
    reachedMs = Math.max(reachedMs ?? endMs, endMs);
  }
  return gaps;
}

/** @param n from 1 */
function nthLargest(values: readonly number[], n: number): number {
  return [...values].sort((a, b) => b - a)[n - 1] ?? 0;
}
