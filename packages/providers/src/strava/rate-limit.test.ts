import { describe, expect, it } from 'vitest';
import { remaining } from './rate-limit.js';
import { readStravaError } from './read-error.js';

/** Seven minutes before the next quarter, two hours and 7 minutes before midnight. */
const DATE = 'Sun, 10 May 2026 21:53:00 GMT';
const QUARTER = 7 * 60;
const DAY = 2 * 3_600 + QUARTER;
const USED = {
  date: DATE,
  'x-ratelimit-limit': '200,2000',
  'x-ratelimit-usage': '41,388',
  'x-readratelimit-limit': '100,1000',
  'x-readratelimit-usage': '40,371',
};
const of = (change: Record<string, string>) => new Headers({ ...USED, ...change });

describe('remaining requests of each window', () => {
  it.each([
    ['with fewer read requests', {}, 60, 629],
    ['with fewer total requests', { 'x-ratelimit-usage': '190,1990' }, 10, 10],
    ['with usage above the limit', { 'x-readratelimit-usage': '103,371' }, 0, 629],
    ['without reported reads', { 'x-readratelimit-usage': ',' }, 100, 1_000],
    ['with the limits of another tier', { 'x-readratelimit-limit': '300,3000' }, 159, 1_612],
  ])('are read from the Strava headers %s', (_, change, quarter, day) => {
    expect(remaining(of(change))).toEqual([
      { requests: quarter, seconds: 900, resetSeconds: QUARTER },
      { requests: day, seconds: 86_400, resetSeconds: DAY },
    ]);
  });

  it('ignores missing or invalid headers', () => {
    expect(remaining(new Headers({ date: DATE }))).toEqual([]);
    expect(remaining(new Headers({ 'x-ratelimit-limit': 'many', 'x-ratelimit-usage': '1,2' }))).toEqual([]);
  });
});

describe('a reached rate limit', () => {
  const waits = (change: Record<string, string>) => readStravaError(429, {}, of(change))?.retryAfterMs;
  it('lasts until the next quarter hour, or midnight for the daily limit', () => {
    expect(waits({ 'x-readratelimit-usage': '101,371' })).toBe(QUARTER * 1_000);
    expect(waits({ 'x-readratelimit-usage': '12,1001' })).toBe(DAY * 1_000);
  });

  it('lasts as long as the vendor specifies', () => {
    expect(readStravaError(429, {}, of({ 'retry-after': '5' }))).toBeUndefined();
  });
});

it.each([
  [400, 'RefreshToken', 'refresh_token', 'invalid', 'unauthorized'],
  [400, 'AuthorizationCode', 'code', 'expired', 'unauthorized'],
  [401, 'Application', 'client_id', 'invalid', 'operator'],
  [400, 'Application', 'client_secret', 'invalid', 'operator'],
  [403, 'Application', 'Status', 'Inactive', 'operator'],
  [401, 'AccessToken', 'activity:read_permission', 'missing', 'scope_missing'],
  [401, 'Athlete', 'access_token', 'invalid', 'unauthorized'],
  [400, 'Application', 'per page', 'limit exceeded', undefined],
  [404, 'Application', 'client_id', 'invalid', undefined],
])('maps status %i about %s (%s %s) to %s', (status, resource, field, code, meaning) => {
  const body = { message: 'Bad Request', errors: [{ resource, field, code }] };
  expect(readStravaError(status, body, new Headers())?.code).toBe(meaning);
});

it('classifies an error in another format by status', () => {
  for (const body of [undefined, [], { errors: 'x' }, { errors: [null, 7, {}] }]) {
    expect(readStravaError(401, body, new Headers())).toBeUndefined();
  }
});
