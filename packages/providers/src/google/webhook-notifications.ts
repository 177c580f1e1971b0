import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { joinRanges, type TimeRange, type VendorNotification } from '../cloud/index.js';
import { isObject, type PayloadObject } from '../device-push/index.js';
import { changedRange } from './webhook-interval.js';

/** Reading the time in between costs less than a request of its own. */
const JOINED_GAP_MS = MS_PER_HOUR;
const MAX_RANGES = 200;
/** Read again where a notification names no time that can be read: what changes is nearly always recent. */
const UNTIMED_MS = 7 * MS_PER_DAY;
const HEALTH_USER_ID = /^[A-Za-z0-9-]{1,63}$/;
const DATA_TYPE = /^[a-z][a-z0-9-]{0,63}$/;

/**
 * The changes that a body reports, one for each account, type and operation. Documents show one object, live deliveries
 * are lists; both are read. What is no notification is left out, and what is beside it is read.
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
  // An operation that no one knows yet means that something is different: reading again is never wrong.
  return { providerUserId: healthUserId, dataType, operation: operation === 'DELETE' ? 'delete' : 'upsert', ranges };
}

function dataOf(item: unknown): PayloadObject | undefined {
  if (!isObject(item)) return undefined;
  if (item.data === undefined) return item;
  return isObject(item.data) ? item.data : undefined;
}
