import { localDayNumber, MS_PER_DAY } from '@healthd/model';
import type pg from 'pg';
import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import { loadTimeline } from '../facts/offsets/timeline-rows.js';

/** The local days of one transaction, with the offsets around them, read once. */
export interface OldWindow {
  firstDay: number;
  lastDay: number;
  /** True if no day before the limit remains afterwards. */
  isLast: boolean;
  timeline: OffsetTimeline;
}

/**
 * Returns the local days before `beforeDay`, starting with the earliest possible local day of a sample that starts at
 * or after `oldestMs`.
 * @param days maximum number of days
 */
export async function oldWindow(
  client: pg.ClientBase,
  userKey: number,
  oldestMs: number,
  { beforeDay, days }: { beforeDay: number; days: number },
): Promise<OldWindow> {
  const timeline = await loadTimeline(client, userKey, oldestMs, oldestMs + days * MS_PER_DAY);
  // The smallest offset gives the first day: a later sample with a larger offset is on the same day or later.
  const firstDay = localDayNumber(oldestMs, Math.min(...timeline.offsetsAround(oldestMs)));
  const lastDay = Math.min(firstDay + days - 1, beforeDay - 1);
  return { firstDay, lastDay, isLast: lastDay === beforeDay - 1, timeline };
}
