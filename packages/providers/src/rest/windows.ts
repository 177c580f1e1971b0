import { batchInPieces, type HealthRecord, MS_PER_DAY } from '@healthd/model';
import type { Tally, TimeRange, WindowReading } from '../cloud/index.js';
import { Turns } from '../turns.js';

/** Splits a range into windows of this many days, counted back from its end. */
export function windowsOf({ startMs, endMs }: TimeRange, days: number): TimeRange[] {
  const windows: TimeRange[] = [];
  for (let end = endMs; end > startMs; end -= days * MS_PER_DAY) {
    windows.push({ startMs: Math.max(startMs, end - days * MS_PER_DAY), endMs: end });
  }
  return windows;
}

/** Returns the reading of one window. */
export async function readingOf(
  records: readonly HealthRecord[],
  { rejections, received, noValue, superseded }: Tally,
): Promise<WindowReading> {
  const batch = await new Turns().run(batchInPieces(records));
  return { batch, rejections, received, noValue, superseded };
}
