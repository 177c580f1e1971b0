import {
  dayStartMs,
  isOffsetMinutes,
  localDayNumber,
  MS_PER_DAY,
  MS_PER_MINUTE,
  MS_PER_SECOND,
  ZoneOffsets,
} from '@healthd/model';
import { isObject, numberOf } from '../../payload/index.js';
import type { DayMetrics } from './day-metrics.js';
import { READINGS } from './metrics.js';

/** A local day of the user. */
export interface RingDay {
  /** Counted from 1970. */
  day: number;
  /** Minutes ahead of UTC at an instant of the day. Undefined if neither the day's data nor a zone determines it. */
  offsetAt(ms: number): number | undefined;
}

type Clock = RingDay['offsetAt'];

/** Offsets, in minutes ahead of UTC, that place an instant (or all of several instants) on a date. */
interface OffsetRange {
  least: number;
  most: number;
}

const zones = new ZoneOffsets();

/**
 * Determines the local time of a day. All readings in a date's response belong to that date. However, the reported zone
 * is the user's current zone, and the vendor may also compute midnight in the current zone. If the readings contradict
 * the zone and midnight, uses the nearest offset that places all readings on the date.
 */
export function ringDay(day: number, response: DayMetrics, ownZone: string | undefined): RingDay {
  const clock = namedClock(day, response.metrics, response.timeZone ?? ownZone);
  const instants = instantsOf(response.metrics);
  const isOnDay = (ms: number) => {
    const offset = clock(ms);
    return offset === undefined || localDayNumber(ms, offset) === day;
  };
  if (instants.every(isOnDay)) return { day, offsetAt: clock };
  const ranges = instants.map((ms) => offsetsOn(day, ms));
  const common = ranges.reduce(({ least, most }, range) => ({
    least: Math.max(least, range.least),
    most: Math.min(most, range.most),
  }));
  if (common.least <= common.most) {
    const offset = nearestOffset(clock(instants[0] ?? 0) ?? 0, common);
    return { day, offsetAt: () => offset };
  }
  // Selects an offset for each reading, because a travel day can be longer than 24 hours.
  const offsetAt = (ms: number) => {
    const offset = clock(ms);
    return offset === undefined ? undefined : nearestOffset(offset, offsetsOn(day, ms));
  };
  return { day, offsetAt };
}

/**
 * Returns the day's clock. Uses the zone, which includes clock changes, unless its offset contradicts the vendor's
 * midnight. In that case the offset of that midnight applies to the whole day.
 */
function namedClock(day: number, metrics: DayMetrics['metrics'], zone: string | undefined): Clock {
  const midnight = offsetOfMidnight(day, metrics);
  return (ms) => {
    const named = zone === undefined ? undefined : zones.at(zone, ms);
    if (midnight === undefined) return named;
    const atMidnight = zone === undefined ? undefined : zones.at(zone, dayStartMs(day, midnight));
    return atMidnight === midnight ? named : midnight;
  };
}

function offsetOfMidnight(day: number, metrics: DayMetrics['metrics']): number | undefined {
  for (const { day_start_timestamp: start } of metrics.values()) {
    const seconds = numberOf(start);
    if (seconds === undefined) continue;
    const offset = (dayStartMs(day) - seconds * MS_PER_SECOND) / MS_PER_MINUTE;
    if (isOffsetMinutes(offset)) return offset;
  }
  return undefined;
}

/** Returns the instants of a day's readings, or the instant of waking if there are no readings. */
function instantsOf(metrics: DayMetrics['metrics']): number[] {
  const msOf = (seconds: unknown) => (numberOf(seconds) ?? Number.NaN) * MS_PER_SECOND;
  const found = Object.keys(READINGS).flatMap((type) => {
    const values = metrics.get(type)?.values;
    return (Array.isArray(values) ? values : []).map((reading) =>
      isObject(reading) ? msOf(reading.timestamp) : Number.NaN,
    );
  });
  const readings = found.filter((ms) => !Number.isNaN(ms));
  if (readings.length > 0) return readings;
  return [msOf(metrics.get('sleep')?.bedtime_end)].filter((ms) => !Number.isNaN(ms));
}

function offsetsOn(day: number, ms: number): OffsetRange {
  const startMs = dayStartMs(day);
  return {
    least: Math.ceil((startMs - ms) / MS_PER_MINUTE),
    most: Math.floor((startMs + MS_PER_DAY - 1 - ms) / MS_PER_MINUTE),
  };
}

/** Steps between offsets in minutes, usual steps first. */
const STEPS = [60, 30, 15, 1];

/**
 * Returns the offset in a range that is nearest to another offset, preferring usual offsets. Undefined if no zone has
 * an offset in the range.
 */
function nearestOffset(offset: number, { least, most }: OffsetRange): number | undefined {
  if (offset >= least && offset <= most) return offset;
  const candidates = STEPS.map((step) =>
    offset < least ? Math.ceil(least / step) * step : Math.floor(most / step) * step,
  );
  const nearest = candidates.find((one) => one >= least && one <= most);
  return nearest !== undefined && isOffsetMinutes(nearest) ? nearest : undefined;
}
