import { MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import type { TimeRange } from '../cloud/index.js';
import { isObject, type PayloadObject } from '../device-push/index.js';

/** No wall clock is further from UTC than this. */
const WIDEST_OFFSET_MS = 14 * MS_PER_HOUR;
const EARLIEST_MS = Date.UTC(2000, 0, 1);
const LATEST_MS = Date.UTC(2100, 0, 1);

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;
const WALL_CLOCK = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?)?$/;

/**
 * One interval of a notification in whichever of the vendor's three forms it comes. Wall-clock times carry no zone, so
 * they are widened to every instant they may mean. Undefined when no form can be read.
 */
export function changedRange(interval: unknown): TimeRange | undefined {
  if (!isObject(interval)) return undefined;
  return (
    physical(interval.physicalTimeInterval) ??
    civil(interval.civilDateTimeInterval, 'startDateTime', 'endDateTime', civilMs) ??
    civil(interval.civilIso8601TimeInterval, 'startTime', 'endTime', isoMs)
  );
}

function physical(value: unknown): TimeRange | undefined {
  if (!isObject(value)) return undefined;
  return range(instantMs(value.startTime), instantMs(value.endTime));
}

function civil(
  value: unknown,
  startMember: string,
  endMember: string,
  read: (value: unknown) => number | undefined,
): TimeRange | undefined {
  if (!isObject(value)) return undefined;
  const startMs = read(value[startMember]);
  const endMs = read(value[endMember]);
  if (startMs === undefined || endMs === undefined || endMs < startMs) return undefined;
  return range(startMs - WIDEST_OFFSET_MS, endMs + WIDEST_OFFSET_MS);
}

/** A point in time becomes a range of a millisecond. */
function range(startMs: number | undefined, endMs: number | undefined): TimeRange | undefined {
  if (startMs === undefined || endMs === undefined || endMs < startMs) return undefined;
  if (endMs < EARLIEST_MS || startMs > LATEST_MS) return undefined;
  const start = Math.max(startMs, EARLIEST_MS);
  return { startMs: start, endMs: Math.min(Math.max(endMs, start + 1), LATEST_MS) };
}

function instantMs(value: unknown): number | undefined {
  return typeof value === 'string' && INSTANT.test(value) ? finite(Date.parse(value)) : undefined;
}

function isoMs(value: unknown): number | undefined {
  if (typeof value !== 'string' || !WALL_CLOCK.test(value)) return undefined;
  return finite(Date.parse(value.includes('T') ? `${value}Z` : `${value}T00:00Z`));
}

/** Members that hold zero are left out by the vendor; midnight has none at all. */
function civilMs(value: unknown): number | undefined {
  if (!isObject(value) || !isObject(value.date)) return undefined;
  const { year, month, day } = value.date;
  const time: PayloadObject = isObject(value.time) ? value.time : {};
  const { hours = 0, minutes = 0, seconds = 0 } = time;
  if (![year, month, day, hours, minutes, seconds].every(Number.isInteger)) return undefined;
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day));
  return finite(date + Number(hours) * MS_PER_HOUR + Number(minutes) * MS_PER_MINUTE + Number(seconds) * 1_000);
}

function finite(ms: number): number | undefined {
  return Number.isFinite(ms) ? ms : undefined;
}
