import { dayStartMs, fromDayNumber, localDayNumber, MinuteBitmap, MS_PER_MINUTE } from '@healthd/model';
import type { SleptRow } from './asleep.sql.js';

/** Minutes asleep by local date, whichever source says so. A session without stages counts whole. */
export function asleepByDate(sessions: readonly SleptRow[]): Map<string, MinuteBitmap> {
  const byDay = new Map<number, MinuteBitmap>();
  const add = (startMs: number, endMs: number, offsetMinutes: number) => {
    const lastDay = localDayNumber(endMs - 1, offsetMinutes);
    for (let day = localDayNumber(startMs, offsetMinutes); day <= lastDay; day++) {
      const minutes = byDay.get(day) ?? new MinuteBitmap();
      byDay.set(day, minutes);
      const midnightMs = dayStartMs(day, offsetMinutes);
      minutes.add((startMs - midnightMs) / MS_PER_MINUTE, (endMs - midnightMs) / MS_PER_MINUTE);
    }
  };
  for (const { asleep_spans: spans, offset_minutes } of sessions) {
    for (let at = 0; at + 1 < spans.length; at += 2) add(spans[at] ?? 0, spans[at + 1] ?? 0, offset_minutes);
  }
  return new Map([...byDay].map(([day, minutes]) => [fromDayNumber(day), minutes]));
}
