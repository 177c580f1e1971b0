import { fromDayNumber } from '@healthd/model';
import { type TimeRange, type VendorApi, VendorError } from '../../cloud/index.js';
import { isObject, type PayloadObject } from '../../payload/index.js';
import { payloadMember } from './data-type.js';
import type { LocalDay, LocalDays } from './local-days.js';
import { dayOfDate, instantMs, memberAt } from './member-values.js';
import { readPages } from './read-pages.js';

/** One window of a roll-up; windows without data do not exist. */
export interface RolledUp extends TimeRange {
  /** The type's values; undefined when the answer has none. */
  payload: PayloadObject | undefined;
  /** Set when the window is a whole local day. */
  localDay?: LocalDay;
}

/** Windows of physical time from the start of a range on, each `windowMs` long. @throws VendorError */
export async function readRollUps(
  api: VendorApi,
  id: string,
  { startMs, endMs }: TimeRange,
  windowMs: number,
): Promise<RolledUp[]> {
  const body = {
    range: { startTime: new Date(startMs).toISOString(), endTime: new Date(endMs).toISOString() },
    windowSize: `${windowMs / 1000}s`,
    // The vendor multiplies it by the window and compares that with the longest range, the default included.
    pageSize: Math.ceil((endMs - startMs) / windowMs),
  };
  const windows: RolledUp[] = [];
  for await (const page of roll(api, id, 'rollUp', body)) {
    for (const point of page) {
      if (!isObject(point)) continue;
      const window = { startMs: instantMs(point.startTime), endMs: instantMs(point.endTime) };
      windows.push({ ...window, payload: payloadOf(point, id) });
    }
  }
  return windows;
}

/**
 * Local days from one day number up to and without another, as the vendor counts them. Where it refuses to, days are
 * rolled up by the account's clock.
 * @throws VendorError
 */
export async function readDailyRollUps(
  api: VendorApi,
  id: string,
  firstDay: number,
  endDay: number,
  days: LocalDays,
): Promise<RolledUp[]> {
  try {
    return await dailyRollUp(api, id, firstDay, endDay, days);
  } catch (error) {
    if (!(error instanceof VendorError) || (error.code !== 'invalid_request' && error.code !== 'not_found'))
      throw error;
    return rollUpByDay(api, id, firstDay, endDay, days);
  }
}

async function dailyRollUp(api: VendorApi, id: string, firstDay: number, endDay: number, days: LocalDays) {
  // The end is exclusive; where it was seen to be included, the surplus date is dropped. Without a page size the page holds
  // all days of a window (90, or 14).
  const body = { range: { start: civilMidnight(firstDay), end: civilMidnight(endDay) }, windowSizeDays: 1 };
  const windows: RolledUp[] = [];
  for await (const page of roll(api, id, 'dailyRollUp', body)) {
    for (const point of page) {
      if (!isObject(point)) continue;
      const day = dayOfDate(memberAt(point, 'civilStartTime.date'));
      if (day !== undefined && (day < firstDay || day >= endDay)) continue;
      const localDay = day === undefined ? undefined : days.of(day);
      windows.push({
        startMs: localDay?.startMs ?? Number.NaN,
        endMs: localDay?.endMs ?? Number.NaN,
        localDay,
        payload: payloadOf(point, id),
      });
    }
  }
  return windows;
}

/** Days of equal length that follow each other are one request; those on which clocks change have their own. */
async function rollUpByDay(api: VendorApi, id: string, firstDay: number, endDay: number, days: LocalDays) {
  const windows: RolledUp[] = [];
  let run: LocalDay[] = [];
  for (let day = firstDay; day < endDay; day++) {
    const next = days.of(day);
    if (run[0] && lengthMs(run[0]) !== lengthMs(next)) {
      windows.push(...(await rollUpRun(api, id, run)));
      run = [];
    }
    run.push(next);
  }
  if (run.length > 0) windows.push(...(await rollUpRun(api, id, run)));
  return windows;
}

async function rollUpRun(api: VendorApi, id: string, run: readonly LocalDay[]): Promise<RolledUp[]> {
  const range = { startMs: run[0]!.startMs, endMs: run[run.length - 1]!.endMs };
  const windows = await readRollUps(api, id, range, lengthMs(run[0]!));
  return windows.map((window) => ({ ...window, localDay: run.find(({ startMs }) => startMs === window.startMs) }));
}

function roll(api: VendorApi, id: string, operation: string, body: object) {
  const path = `/v4/users/me/dataTypes/${id}/dataPoints:${operation}`;
  return readPages(api, 'rollupDataPoints', (pageToken) => ({
    method: 'POST',
    path,
    body: { ...body, pageToken },
    repeatable: true,
  }));
}

function payloadOf(point: PayloadObject, id: string): PayloadObject | undefined {
  const payload = point[payloadMember(id)];
  return isObject(payload) ? payload : undefined;
}

/** Numbers as they are: a month written `03` is refused. */
function civilMidnight(day: number) {
  const [year, month, date] = fromDayNumber(day).split('-').map(Number);
  return { date: { year, month, day: date } };
}

function lengthMs({ startMs, endMs }: TimeRange): number {
  return endMs - startMs;
}
