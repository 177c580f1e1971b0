import { type Interval, unionOf } from '@healthd/model';
import type { TimeRange } from './time-range.js';

/**
 * Joins ranges that overlap or are at most `gapMs` apart, and returns them oldest first. Keeps distant ranges separate,
 * so that two changes a month apart do not read a whole month. Joins the nearest ranges until at most `limit` remain.
 */
export function joinRanges(ranges: readonly TimeRange[], gapMs = 0, limit = Number.POSITIVE_INFINITY): TimeRange[] {
  const joined = unionOf(ranges.map(({ startMs, endMs }): Interval => [startMs, endMs]));
  const gaps = joined.slice(1).map(([startMs], before) => startMs - (joined[before] as Interval)[1]);
  const widest = gaps.length < limit ? gapMs : Math.max(gapMs, nthLargest(gaps, limit));
  return unionOf(joined, { gap: widest }).map(([startMs, endMs]) => ({ startMs, endMs }));
}

/** @param n from 1 */
function nthLargest(values: readonly number[], n: number): number {
  return [...values].sort((a, b) => b - a)[n - 1] ?? 0;
}
