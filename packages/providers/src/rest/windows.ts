import { batchOf, type HealthRecord, MS_PER_DAY } from '@healthd/model';
import type { Tally, TimeRange, WindowReading } from '../cloud/index.js';

/** Splits a range into windows of this many days, counted back from its end. */
export function windowsOf({ startMs, endMs }: TimeRange, days: number): TimeRange[] {
  const windows: TimeRange[] = [];
  for (let end = endMs; end > startMs; end -= days * MS_PER_DAY) {
    windows.push({ startMs: Math.max(startMs, end - days * MS_PER_DAY), endMs: end });
  }
  return windows;
}

/** Returns the reading of one window. */
export function readingOf(
  records: readonly HealthRecord[],
  { rejections, received, noValue, superseded }: Tally,
): WindowReading {
  return { batch: batchOf(records), rejections, received, noValue, superseded };
}
