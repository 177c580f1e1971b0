import { localDayNumber, MS_PER_DAY } from '@healthd/model';
import type pg from 'pg';
import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import { loadTimeline } from '../facts/offsets/timeline-rows.js';

/** A sample may lie this many local days before one that starts earlier. */
const DISORDER_DAYS = 2;

/** The local days that one transaction takes, with the offsets around them, read once. */
export interface OldWindow {
  firstDay: number;
  lastDay: number;
  /** No day before the bound is left afterwards. */
  isLast: boolean;
  timeline: OffsetTimeline;
}

/**
 * The days from the oldest sample's on, of those before `beforeDay`.
 * @param days how many at most
 * @param marginDays on how many days around them offsets have to be known too
 */
export async function oldWindow(
  client: pg.ClientBase,
  userKey: number,
  oldestMs: number,
  { beforeDay, days, marginDays = 0 }: { beforeDay: number; days: number; marginDays?: number },
): Promise<OldWindow> {
  // Local days and those of UTC lie up to a day apart.
  const before = DISORDER_DAYS + marginDays + 1;
  const fromMs = oldestMs - before * MS_PER_DAY;
  const timeline = await loadTimeline(client, userKey, fromMs, oldestMs + (days + marginDays + 1) * MS_PER_DAY);
  const oldestDay = localDayNumber(oldestMs, Math.min(...timeline.offsetsAround(oldestMs)));
  const lastDay = Math.min(oldestDay + days - 1, beforeDay - 1);
  return { firstDay: oldestDay - DISORDER_DAYS, lastDay, isLast: lastDay === beforeDay - 1, timeline };
}
