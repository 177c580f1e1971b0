import { localDayNumber, MS_PER_DAY } from '@healthd/model';
import type pg from 'pg';
import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import { loadTimeline } from '../facts/offsets/timeline-rows.js';

/** Maximum number of local days by which a sample may precede another sample that starts earlier. */
const DISORDER_DAYS = 2;

/** The local days of one transaction, with the offsets around them, read once. */
export interface OldWindow {
  firstDay: number;
  lastDay: number;
  /** True if no day before the limit remains afterwards. */
  isLast: boolean;
  timeline: OffsetTimeline;
}

/**
 * Returns the days before `beforeDay`, starting with the oldest sample's day.
 * @param days maximum number of days
 * @param marginDays number of days around them for which offsets are also needed
 */
export async function oldWindow(
  client: pg.ClientBase,
  userKey: number,
  oldestMs: number,
  { beforeDay, days, marginDays = 0 }: { beforeDay: number; days: number; marginDays?: number },
): Promise<OldWindow> {
  // Local and UTC days differ by up to a day.
  const before = DISORDER_DAYS + marginDays + 1;
  const fromMs = oldestMs - before * MS_PER_DAY;
  const timeline = await loadTimeline(client, userKey, fromMs, oldestMs + (days + marginDays + 1) * MS_PER_DAY);
  const oldestDay = localDayNumber(oldestMs, Math.min(...timeline.offsetsAround(oldestMs)));
  const lastDay = Math.min(oldestDay + days - 1, beforeDay - 1);
  return { firstDay: oldestDay - DISORDER_DAYS, lastDay, isLast: lastDay === beforeDay - 1, timeline };
}
