import { dayStartMs, isOffsetMinutes, localDayNumber, MS_PER_MINUTE, MS_PER_SECOND, ZoneOffsets } from '@healthd/model';
import { numberOf } from '../../device-push/index.js';
import type { DayMetrics } from './day-metrics.js';

/** A local day of the person. */
export interface RingDay {
  /** Counted from 1970. */
  day: number;
  /** Minutes ahead of UTC at an instant of it; undefined where neither the day nor a zone says. */
  offsetAt(ms: number): number | undefined;
  /** Whether an instant belongs to it; where no clock is known, all do. */
  holds(ms: number): boolean;
}

const zones = new ZoneOffsets();

/**
 * The clock of a day: metrics say when its midnight was. The zone counts for the hours after a change of clocks, as long as
 * it agrees with that midnight: someone who has travelled since lived by another clock then.
 */
export function ringDay(day: number, { metrics, timeZone }: DayMetrics, ownZone: string | undefined): RingDay {
  const zone = timeZone ?? ownZone;
  const midnight = offsetOfMidnight(day, metrics);
  const offsetAt = (ms: number) => {
    const named = zone === undefined ? undefined : zones.at(zone, ms);
    if (midnight === undefined) return named;
    const atMidnight = zone === undefined ? undefined : zones.at(zone, dayStartMs(day, midnight));
    return atMidnight === midnight ? named : midnight;
  };
  return {
    day,
    offsetAt,
    holds(ms) {
      const offset = offsetAt(ms);
      return offset === undefined || localDayNumber(ms, offset) === day;
    },
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
