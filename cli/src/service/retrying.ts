import type { Retrying, SyncRunSummary } from '@healthd/schemas';
import { durationText } from '../ui/amounts.js';

/** Formats `attempt 2 of 5, next 14:32 (in 3 min 00 s)` in local time. Undefined if the run does not wait. */
export function retryingText({ retrying }: Pick<SyncRunSummary, 'retrying'>, nowMs = Date.now()): string | undefined {
  return retrying ? `${attemptText(retrying)}, next ${nextTryText(retrying.next_try_at, nowMs)}` : undefined;
}

/** Formats `14:32 (in 3 min 00 s)`, with the date on another day, or `now` if due. */
export function nextTryText(at: string, nowMs = Date.now()): string {
  const seconds = (Date.parse(at) - nowMs) / 1_000;
  if (seconds <= 0) return 'now';
  const local = new Date(at).toLocaleString('sv-SE');
  const isToday = new Date(nowMs).toLocaleString('sv-SE').slice(0, 10) === local.slice(0, 10);
  return `${isToday ? local.slice(11, 16) : local.slice(0, 16)} (in ${durationText(Math.round(seconds))})`;
}

function attemptText({ attempt, max_attempts: most }: Retrying): string {
  return most === null ? `attempt ${attempt}` : `attempt ${attempt} of ${most}`;
}
