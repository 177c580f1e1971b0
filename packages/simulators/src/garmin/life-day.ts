import type { LocalDay } from '../calendar.js';
import type { Random } from '../random.js';
import type { GarminItem } from './wire-types.js';

/** A part of a made-up life. */
export interface LifeDay {
  random: Random;
  day: LocalDay;
  /** Minutes ahead of UTC at its beginning. */
  offsetMinutes: number;
  /** Where the day ends so far. */
  untilMs: number;
  /** Distinguishes one day of one person. */
  id: string;
}

/** What every summary begins with. */
export function head(life: LifeDay, kind: string, startMs: number, durationMs: number): GarminItem {
  const seconds = Math.round(durationMs / 1000);
  return {
    summaryId: `${life.id}-${kind}-${(startMs / 1000).toString(16)}-${seconds.toString(16)}`,
    calendarDate: life.day.date,
    startTimeInSeconds: startMs / 1000,
    startTimeOffsetInSeconds: life.offsetMinutes * 60,
    durationInSeconds: seconds,
  };
}

/** A map from seconds after the start to values. */
export function offsets(lengthMs: number, everyMs: number, valueAt: (index: number) => number): Record<string, number> {
  const count = Math.floor(lengthMs / everyMs);
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [String((at * everyMs) / 1000), valueAt(at)]));
}
