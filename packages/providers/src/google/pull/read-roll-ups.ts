import { fromDayNumber } from '@healthd/model';
import { type TimeRange, type VendorApi, VendorError } from '../../cloud/index.js';
import { isObject, type PayloadObject } from '../../payload/index.js';
import { payloadMember } from './data-type.js';
import type { LocalDay, LocalDays } from './local-days.js';
import { dayOfDate, instantMs, memberAt } from './member-values.js';
import { readPages } from './read-pages.js';

/** Window of a roll-up. Windows without data do not exist. */
export interface RolledUp extends TimeRange {
  /** Values of the type; undefined if the response contains no values. */
  payload: PayloadObject | undefined;
  /** Set if the window is a whole local day. */
  localDay?: LocalDay;
}

/** Reads windows of `windowMs` from the start of a range. @throws VendorError */
export async function readRollUps(
  api: VendorApi,
  id: string,
  { startMs, endMs }: TimeRange,
  windowMs: number,
): Promise<RolledUp[]> {
  const body = {
    range: { startTime: new Date(startMs).toISOString(), endTime: new Date(endMs).toISOString() },
    windowSize: `${windowMs / 1000}s`,
    // The vendor limits the product of page size and window length to the maximum range, even if the request contains
    // no page size.
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
 * Reads local days, as the vendor counts them. The end is exclusive. If the vendor rejects the request, rolls up days
 * by the account's offset.
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
  // The end is exclusive. Some responses include the end date, which is dropped. Without a page size, a page contains
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

/** Groups consecutive days of equal length into one request; days with a clock change get separate requests. */
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

/** Plain numbers, because the vendor rejects a month such as `03`. */
function civilMidnight(day: number) {
  const [year, month, date] = fromDayNumber(day).split('-').map(Number);
  return { date: { year, month, day: date } };
}

function lengthMs({ startMs, endMs }: TimeRange): number {
  return endMs - startMs;
}
