import { dayStartMs, fromDayNumber, isAsleep, localDayNumber } from '@healthd/model';
import type { SleptRow } from './asleep.sql.js';
import { type MinuteBits, noMinutes, setMinutes } from './minute-bits.js';

const MS_PER_MINUTE = 60_000;

/**
 * Minutes asleep by local date, whichever source says so. A session without stages counts whole, one of which only time
 * in bed is known not at all.
 */
export function asleepByDate(sessions: readonly SleptRow[]): Map<string, MinuteBits> {
  const byDay = new Map<number, MinuteBits>();
  const add = (startMs: number, endMs: number, offsetMinutes: number) => {
    const lastDay = localDayNumber(endMs - 1, offsetMinutes);
    for (let day = localDayNumber(startMs, offsetMinutes); day <= lastDay; day++) {
      const bits = byDay.get(day) ?? noMinutes();
      byDay.set(day, bits);
      const midnightMs = dayStartMs(day, offsetMinutes);
      setMinutes(bits, (startMs - midnightMs) / MS_PER_MINUTE, (endMs - midnightMs) / MS_PER_MINUTE);
    }
  };
  for (const { start_at, end_at, asleep_seconds, stages, offset_minutes } of sessions) {
    if (stages === null && (asleep_seconds ?? 0) > 0) add(start_at.getTime(), end_at.getTime(), offset_minutes);
    for (const { stage, start_time, end_time } of stages ?? []) {
      if (isAsleep(stage)) add(Date.parse(start_time), Date.parse(end_time), offset_minutes);
    }
  }
  return new Map([...byDay].map(([day, bits]) => [fromDayNumber(day), bits]));
}
