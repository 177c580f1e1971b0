import type { LocalDay } from '../calendar.js';
import type { Random } from '../random.js';
import type { GarminItem } from './wire-types.js';

/** A local day of generated data. */
export interface LifeDay {
  random: Random;
  day: LocalDay;
  /** Minutes ahead of UTC at its start. */
  offsetMinutes: number;
  /** Current end of the day. */
  untilMs: number;
  /** Unique per day and account. */
  id: string;
}

/** Returns the common members of every summary. */
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

/** Returns a map from seconds after the start to values. */
export function offsets(lengthMs: number, everyMs: number, valueAt: (index: number) => number): Record<string, number> {
  const count = Math.floor(lengthMs / everyMs);
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [String((at * everyMs) / 1000), valueAt(at)]));
}
