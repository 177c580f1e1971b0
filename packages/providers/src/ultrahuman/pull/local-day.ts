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

/** A local day of the person. */
export interface RingDay {
  /** Counted from 1970. */
  day: number;
  /** Minutes ahead of UTC at an instant of the day. Undefined if neither the day nor a zone says. */
  offsetAt(ms: number): number | undefined;
}

type Clock = RingDay['offsetAt'];

/** Offsets at which an instant, or several, are on a date. */
interface OffsetRange {
  least: number;
  most: number;
}

const zones = new ZoneOffsets();

/**
 * The clock of a day. A reading in the answer for a date belongs to that date: the zone is that of now, and the vendor may even
 * compute midnight in it. If the readings contradict both, the nearest clock counts on which all of them are on the date.
 */
export function ringDay(day: number, answer: DayMetrics, ownZone: string | undefined): RingDay {
  const clock = namedClock(day, answer.metrics, answer.timeZone ?? ownZone);
  const instants = instantsOf(answer.metrics);
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
  // A day of travel is longer than 24 hours: no clock has all of it on one date.
  const offsetAt = (ms: number) => {
    const offset = clock(ms);
    return offset === undefined ? undefined : nearestOffset(offset, offsetsOn(day, ms));
  };
  return { day, offsetAt };
}

/**
 * The clock by the vendor's midnight, and by the zone for the hours after a change of clocks. The zone counts as long as it
 * agrees with that midnight.
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

/** Instants of all readings of a day, and of waking if there are none. */
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

/** Minutes between offsets: of most clocks, and of some. */
const STEPS = [60, 30, 15, 1];

/** The offset of a range that is nearest to another one, of a usual clock if possible. Undefined if no clock has it. */
function nearestOffset(offset: number, { least, most }: OffsetRange): number | undefined {
  if (offset >= least && offset <= most) return offset;
  const candidates = STEPS.map((step) =>
    offset < least ? Math.ceil(least / step) * step : Math.floor(most / step) * step,
  );
  const nearest = candidates.find((one) => one >= least && one <= most);
  return nearest !== undefined && isOffsetMinutes(nearest) ? nearest : undefined;
}
