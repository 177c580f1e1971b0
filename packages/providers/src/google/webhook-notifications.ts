import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import { joinRanges, type TimeRange, type VendorNotification } from '../cloud/index.js';
import { isObject, type PayloadObject } from '../payload/index.js';

/** Maximum gap between two ranges that are read together. Reading the gap is cheaper than another request. */
const JOINED_GAP_MS = MS_PER_HOUR;
const MAX_RANGES = 200;
/** Range to read for a notification without a readable time. Most changes are recent. */
const UNTIMED_MS = 7 * MS_PER_DAY;
const HEALTH_USER_ID = /^[A-Za-z0-9-]{1,63}$/;
const DATA_TYPE = /^[a-z][a-z0-9-]{0,63}$/;

/** Maximum distance of a local time from UTC. */
const WIDEST_OFFSET_MS = 14 * MS_PER_HOUR;
const EARLIEST_MS = Date.UTC(2000, 0, 1);
const LATEST_MS = Date.UTC(2100, 0, 1);

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;
const WALL_CLOCK = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?)?$/;

/**
 * Returns the changes in a body, one per account, type and operation. Accepts a single object, as documented, and
 * lists, as the vendor sends them. Skips invalid items.
 */
export function readNotifications(body: readonly unknown[], nowMs: number): VendorNotification[] {
  const found = new Map<string, VendorNotification & { ranges: TimeRange[] }>();
  for (const item of body) {
    const notification = readItem(item, nowMs);
    if (notification === undefined) continue;
    const { providerUserId, dataType, operation } = notification;
    const key = `${providerUserId} ${dataType} ${operation}`;
    const same = found.get(key);
    if (same === undefined) found.set(key, notification);
    else for (const range of notification.ranges) same.ranges.push(range);
  }
  return [...found.values()].map((notification) => ({
    ...notification,
    ranges: joinRanges(notification.ranges, JOINED_GAP_MS, MAX_RANGES),
  }));
}

function readItem(item: unknown, nowMs: number): (VendorNotification & { ranges: TimeRange[] }) | undefined {
  const data = dataOf(item);
  if (data === undefined) return undefined;
  const { healthUserId, dataType, operation } = data;
  if (typeof healthUserId !== 'string' || !HEALTH_USER_ID.test(healthUserId)) return undefined;
  if (typeof dataType !== 'string' || !DATA_TYPE.test(dataType)) return undefined;
  const intervals = Array.isArray(data.intervals) ? data.intervals : [];
  const ranges = intervals.map(changedRange).filter((range) => range !== undefined);
  if (ranges.length === 0) ranges.push({ startMs: nowMs - UNTIMED_MS, endMs: nowMs });
  // Treats an unknown operation as a change, because reading again is always safe.
  return { providerUserId: healthUserId, dataType, operation: operation === 'DELETE' ? 'delete' : 'upsert', ranges };
}

function dataOf(item: unknown): PayloadObject | undefined {
  if (!isObject(item)) return undefined;
  if (item.data === undefined) return item;
  return isObject(item.data) ? item.data : undefined;
}

/**
 * Reads a notification's interval in any of the vendor's three forms. Local times have no offset, so they are widened
 * to all possible instants. Returns undefined if no form is readable.
 */
function changedRange(interval: unknown): TimeRange | undefined {
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

/** Returns a range of at least one millisecond; undefined for an invalid range. */
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

/** Reads a time. The vendor omits zero members, so midnight is empty. */
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
