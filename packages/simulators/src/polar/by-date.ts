import { type Answer, json } from '../response.js';
import type { PolarAccount } from './account.js';
import { daysBefore, daysBetween, monthsBefore } from './dates.js';
import { failure, NO_CONTENT } from './failure.js';
import type { PolarActivity, PolarDocument } from './wire-types.js';

const OLDEST_ACTIVITY_DAYS = 365;
const LISTED_LOAD_DAYS = 28;
const LONGEST_LOAD = { days: 180, months: 6 };

interface DataRequest {
  account: PolarAccount;
  /** The user's local date. */
  today: string;
  query: URLSearchParams;
}

/** Returns an activity day. Includes its steps per minute only on request. */
export function activityParts(day: PolarDocument, query: URLSearchParams): PolarDocument {
  const { samples, ...rest } = day as PolarActivity;
  return query.get('steps') === 'true' && samples ? { ...rest, samples } : rest;
}

/** Returns an error if the date is too old for activities; otherwise undefined. */
export function tooOld(date: string, today: string): Answer | undefined {
  if (daysBetween(date, today) <= OLDEST_ACTIVITY_DAYS) return undefined;
  return failure(400, 'bad_request', 'The date is too far in the past');
}

/** Handles a path that ends with a date, otherwise returns undefined. Missing data is 204 or 404, by data type. */
export function responseOfDate(request: DataRequest, path: string): Answer | undefined {
  const { account, today, query } = request;
  const [, kind, date = ''] = /^users\/([a-z/-]+)\/(\d{4}-\d\d-\d\d)$/.exec(path) ?? [];
  switch (kind) {
    case 'activities': {
      const day = account.items.activities.get(date);
      return tooOld(date, today) ?? (day ? json(200, activityParts(day, query)) : NO_CONTENT);
    }
    case 'activities/samples': {
      const samples = account.items.activities.get(date)?.samples;
      return tooOld(date, today) ?? (samples ? json(200, samples as object) : NO_CONTENT);
    }
    case 'continuous-heart-rate':
      return found(account.items.heartRates.get(date));
    case 'sleep':
      return found(account.items.sleep.get(date));
    case 'nightly-recharge':
      return found(account.items.recharges.get(date));
    case 'cardio-load':
      return json(200, loadsFrom(request, date, date));
    default:
      return undefined;
  }
}

/** Returns loads of the last days or months; undefined for other paths. */
export function handleLoadRequest(request: DataRequest, path: string): Answer | undefined {
  const { today } = request;
  if (path === 'users/cardio-load')
    return json(200, loadsFrom(request, daysBefore(today, LISTED_LOAD_DAYS - 1), today));
  const [, unit, count] = /^users\/cardio-load\/period\/(days|months)\/(\d+)$/.exec(path) ?? [];
  if (unit === undefined) return undefined;
  const length = Number(count);
  if (length < 1 || length > LONGEST_LOAD[unit as keyof typeof LONGEST_LOAD]) {
    return failure(400, 'bad_request', 'Invalid period');
  }
  const from = unit === 'days' ? daysBefore(today, length - 1) : monthsBefore(today, length);
  return json(200, loadsFrom(request, from, today));
}

/** Returns only the steps of days. */
export function samplesOfDays(days: readonly PolarDocument[]): PolarDocument[] {
  return days.flatMap(({ samples }) => (samples ? [samples as PolarDocument] : []));
}

function found(item: PolarDocument | undefined): Answer {
  return item ? json(200, item) : failure(404, 'not_found', 'No data');
}

function loadsFrom({ account }: DataRequest, from: string, to: string): PolarDocument[] {
  const dateOf = ({ date }: PolarDocument) => String(date);
  return [...account.items.cardioLoads.values()]
    .filter((load) => dateOf(load) >= from && dateOf(load) <= to)
    .sort((a, b) => (dateOf(a) < dateOf(b) ? -1 : 1));
}
