import { MS_PER_DAY } from '@healthd/model';
import { Calendar } from '../calendar.js';
import { type Answer, json } from '../response.js';
import { bearer, type Call, type VendorCore } from '../vendor/index.js';
import { dayOf, type PolarAccount } from './account.js';
import { activityParts, handleLoadRequest, responseOfDate, samplesOfDays, tooOld } from './by-date.js';
import { daysBefore, daysBetween, localDateOf } from './dates.js';
import { failure, NO_CONTENT } from './failure.js';
import { consentsMissing, handleUserRequest, register } from './users.js';
import type { PolarDocument, PolarExercise, PolarPeriod, PolarTest } from './wire-types.js';

const LISTED_EXERCISES_MS = 30 * MS_PER_DAY;
const LONGEST_RANGE_DAYS = 28;

/** Optional parts of an exercise, by query parameter. */
const EXERCISE_PARTS = { samples: 'samples', zones: 'heart_rate_zones', route: 'route' };
const BIOSENSING = {
  bodytemperature: ['bodyTemperatures', ({ start_time }: PolarDocument) => String(start_time).slice(0, 10)],
  skintemperature: ['skinTemperatures', ({ sleep_date }: PolarDocument) => String(sleep_date)],
  spo2: ['spo2', testDate],
  ecg: ['ecg', testDate],
} as const;
const SLEEPWISE = { alertness: 'alertness', 'circadian-bedtime': 'bedtimes' } as const;

interface DataRequest {
  account: PolarAccount;
  nowMs: number;
  /** The user's local date. */
  today: string;
  query: URLSearchParams;
}

/** Handles a data API request for the token's account. */
export function handleApiRequest(core: VendorCore<PolarAccount>, onlyAfterRegistration: boolean, call: Call): Answer {
  const grant = core.grants.opened(bearer(call));
  const account = grant && core.accounts.find(grant.account);
  if (!account) return failure(401, 'unauthorized', 'Invalid access token');
  if (call.path === '/v3/users' && call.method === 'POST') return register(core, account, call);
  const [, userId] = /^\/v3\/users\/(\d+)$/.exec(call.path) ?? [];
  if (userId !== undefined) return handleUserRequest(core, account, call, userId);
  if (account.memberId === undefined || !account.hasConsented) return consentsMissing();
  if (call.method !== 'GET') return failure(405, 'method_not_allowed', 'Method not allowed');
  const nowMs = core.clock.nowMs();
  const today = new Calendar(account.facts.timeZone).dateOf(nowMs);
  const request = { account, nowMs, today, query: call.query };
  return handleDataRequest(request, call.path.replace('/v3/', ''), onlyAfterRegistration) ?? unknownPath();
}

function handleDataRequest(request: DataRequest, path: string, onlyAfterRegistration: boolean): Answer | undefined {
  const { account, query } = request;
  const [, id] = /^exercises\/([\w-]+)$/.exec(path) ?? [];
  if (id !== undefined) {
    const found = account.items.exercises.get(id);
    return found ? json(200, exerciseParts(found, query)) : failure(404, 'not_found', 'No such exercise');
  }
  const [, kind, part] = /^users\/sleepwise\/(alertness|circadian-bedtime)(\/date)?$/.exec(path) ?? [];
  if (kind !== undefined) return sleepwise(request, kind as keyof typeof SLEEPWISE, part !== undefined);
  const [, sensing] = /^users\/biosensing\/(\w+)$/.exec(path) ?? [];
  if (sensing !== undefined && sensing in BIOSENSING) return biosensing(request, sensing as keyof typeof BIOSENSING);
  switch (path) {
    case 'exercises':
      return json(200, exercises(request, onlyAfterRegistration));
    case 'users/activities':
      return activities(request, (days) => days.map((day) => activityParts(day, query)));
    case 'users/activities/samples':
      return activities(request, samplesOfDays);
    case 'users/continuous-heart-rate':
      return heartRates(request);
    case 'users/sleep':
      return json(200, { nights: newest(request, 'sleep') });
    case 'users/sleep/available':
      return json(200, { available: available(account) });
    case 'users/nightly-recharge':
      return json(200, { recharges: newest(request, 'recharges') });
    case 'users/cardio-load/date':
      return inRange(request, [...account.items.cardioLoads.values()], dateOf, (days) => days);
    case 'users/physical-info':
      return account.physical ? json(200, account.physical) : failure(404, 'not_found', 'No data');
    default:
      return responseOfDate(request, path) ?? handleLoadRequest(request, path);
  }
}

function heartRates(request: DataRequest): Answer {
  const { items, forms } = request.account;
  let count = 0;
  const response = inRange(request, [...items.heartRates.values()], dateOf, (found) => {
    count = found.length;
    return count === 1 && forms.dayOfHeartRates === 'bare' ? found[0] : { heart_rates: found };
  });
  const isNothing = response.status === 200 && count === 0;
  return isNothing && forms.withoutHeartRates === 'not_found' ? failure(404, 'not_found', 'No data') : response;
}

/** Returns exercises uploaded in the last 30 days, optionally only exercises uploaded since the registration. */
function exercises({ account, nowMs, query }: DataRequest, onlyAfterRegistration: boolean): PolarDocument[] {
  const registeredMs = onlyAfterRegistration ? Date.parse(account.registeredAt) : Number.NEGATIVE_INFINITY;
  const sinceMs = Math.max(nowMs - LISTED_EXERCISES_MS, registeredMs);
  return ([...account.items.exercises.values()] as PolarExercise[])
    .filter(({ upload_time: at }) => Date.parse(at) >= sinceMs && Date.parse(at) <= nowMs)
    .map((exercise) => exerciseParts(exercise, query));
}

function exerciseParts(exercise: PolarDocument, query: URLSearchParams): PolarDocument {
  const left = { ...exercise };
  for (const [name, member] of Object.entries(EXERCISE_PARTS)) if (query.get(name) !== 'true') delete left[member];
  return left;
}

function activities(request: DataRequest, bodyOf: (days: PolarDocument[]) => object): Answer {
  const { account, today, query } = request;
  const rejection = tooOld(query.get('from') ?? today, today);
  return rejection ?? inRange(request, [...account.items.activities.values()], dayOf, bodyOf);
}

/** A path without `/date` ignores a range. */
function sleepwise(request: DataRequest, kind: keyof typeof SLEEPWISE, hasRange: boolean): Answer {
  const periods = [...request.account.items[SLEEPWISE[kind]].values()] as PolarPeriod[];
  const query = hasRange ? request.query : new URLSearchParams();
  return inRange({ ...request, query }, periods, (one) => localDateOf(one as PolarPeriod), orNothing);
}

function biosensing(request: DataRequest, kind: keyof typeof BIOSENSING): Answer {
  const [collection, datePart] = BIOSENSING[kind];
  return inRange(request, [...request.account.items[collection].values()], datePart, orNothing);
}

const orNothing = (found: PolarDocument[]) => (found.length === 0 ? undefined : found);

/** Returns items of the requested dates, inclusive. Default: the 28 days that end tomorrow. */
function inRange(
  { today, query }: DataRequest,
  items: PolarDocument[],
  datePart: (item: PolarDocument) => string,
  bodyOf: (found: PolarDocument[]) => object | undefined,
): Answer {
  const to = query.get('to') ?? daysBefore(today, -1);
  const from = query.get('from') ?? daysBefore(to, LONGEST_RANGE_DAYS - 1);
  const length = daysBetween(from, to) + 1;
  if (!(length >= 1)) return failure(400, 'bad_request', 'Invalid range');
  if (length > LONGEST_RANGE_DAYS) return failure(400, 'bad_request', 'At most 28 days');
  const found = items.filter((item) => datePart(item) >= from && datePart(item) <= to);
  const body = bodyOf(found.sort((a, b) => (datePart(a) < datePart(b) ? -1 : 1)));
  return body === undefined ? NO_CONTENT : json(200, body);
}

function newest({ account, today }: DataRequest, collection: 'sleep' | 'recharges'): PolarDocument[] {
  const since = daysBefore(today, LONGEST_RANGE_DAYS - 1);
  return [...account.items[collection].values()].filter((item) => dateOf(item) >= since);
}

function available({ items }: PolarAccount): object[] {
  return [...items.sleep.values()].map(({ date, sleep_start_time, sleep_end_time }) => ({
    date,
    start_time: sleep_start_time,
    end_time: sleep_end_time,
  }));
}

function dateOf({ date }: PolarDocument): string {
  return String(date);
}

function testDate(item: PolarDocument): string {
  const { test_time: seconds, time_zone_offset: offset } = item as PolarTest;
  return new Date((seconds + offset * 60) * 1000).toISOString().slice(0, 10);
}

function unknownPath(): Answer {
  return failure(404, 'not_found', 'No such path');
}
