import { dayNumber, fromDayNumber } from '@healthd/model';
import { type Answer, json } from '../response.js';
import { badRequest } from './api-failure.js';
import type { ApiRequest } from './api-request.js';
import { bindCount, bindObject, parseBody } from './bind-members.js';
import { requestedFamily } from './requested-family.js';
import { durationFailure, rangeFailure } from './roll-up-failure.js';
import { rolledUp } from './roll-up-values.js';
import { dateOfPoint, type StoredPoint } from './stored-points.js';
import { wireDate } from './wire-times.js';
import { wireMembers } from './wire-values.js';

/** Returns windows of whole local days, newest first. Omits empty windows. The response never has a page token. */
export function dailyRollUp(request: ApiRequest): Answer {
  const { service, account, type, call } = request;
  const members = ['range', 'windowSizeDays', 'pageSize', 'pageToken', 'dataSourceFamily'];
  const body = bindObject(parseBody(call.body), members);
  const range = bindObject(body.range ?? {}, ['start', 'end'], 'range');
  const first = civilDay(range.start, 'range.start');
  const last = civilDay(range.end, 'range.end') + (service.behaviour.dailyRollUpEnd === 'inclusive' ? 1 : 0);
  const windowDays = bindCount(body.windowSizeDays, 'window_size_days') || 1;
  if (last <= first) throw rangeFailure();
  if (last - first > type!.rollUpDays!) throw durationFailure(type!.rollUpDays!);
  // The default and maximum page size is the longest allowed range in days.
  const pageSize = Math.min(bindCount(body.pageSize, 'page_size') || type!.rollUpDays!, type!.rollUpDays!);
  if (pageSize < Math.ceil((last - first) / windowDays)) {
    throw badRequest('The page size must cover the whole range.', 'page_size');
  }
  if (body.pageToken) throw badRequest('Invalid page token.', 'page_token');
  const family = requestedFamily(request, body.dataSourceFamily);
  const stream = service.points.stream(account.id, type!.id, { mode: 'reconcile', ...family });

  const windows = new Map<number, StoredPoint[]>();
  for (const point of stream) {
    const day = dayNumber(dateOfPoint(point))!;
    if (day < first || day >= last) continue;
    const number = Math.floor((day - first) / windowDays);
    const group = windows.get(number);
    if (group) group.push(point);
    else windows.set(number, [point]);
  }
  const rollupDataPoints = [...windows.keys()]
    .sort((a, b) => b - a)
    .flatMap((number) => {
      const value = rolledUp(type!, windows.get(number)!);
      if (!value) return [];
      const from = first + number * windowDays;
      const to = Math.min(from + windowDays, last);
      const [civilStartTime, civilEndTime] = [midnight(from), midnight(to)];
      return [{ civilStartTime, civilEndTime, [type!.payload]: wireMembers(value) }];
    });
  return json(200, rollupDataPoints.length > 0 ? { rollupDataPoints } : {});
}

function midnight(day: number) {
  return { date: wireDate(fromDayNumber(day)), time: {} };
}

/** Returns the day number of a civil date-time, which must be midnight. */
function civilDay(value: unknown, at: string): number {
  const civil = bindObject(value ?? {}, ['date', 'time'], at);
  const date = bindObject(civil.date ?? {}, ['year', 'month', 'day'], `${at}.date`);
  const text = [date.year, date.month, date.day].map((part, n) => String(part ?? '').padStart(n === 0 ? 4 : 2, '0'));
  const day = dayNumber(text.join('-'));
  if (day === undefined) throw badRequest(`Invalid value at '${at}.date'`, at);
  const time = bindObject(civil.time ?? {}, ['hours', 'minutes', 'seconds', 'nanos'], `${at}.time`);
  if (Object.values(time).some((part) => Number(part) !== 0)) {
    throw badRequest(`'${at}' must be at the boundary of a window.`, at);
  }
  return day;
}
