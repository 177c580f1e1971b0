import { expect, it } from 'vitest';
import { readSuuntoError } from './read-error.js';

const read = (status: number, message: string, headers: Record<string, string> = {}) =>
  readSuuntoError(status, { statusCode: status, message }, new Headers(headers));

it.each([
  [401, 'Access denied due to missing subscription key.', { code: 'operator', reason: 'subscription_key' }],
  [401, 'Access denied due to invalid subscription key.', { code: 'operator', reason: 'subscription_key' }],
  [
    403,
    'Out of call volume quota. Quota will be replenished in 02:30:15.',
    { code: 'rate_limited', retryAfterMs: 9_015_000 },
  ],
  [
    403,
    'Out of call volume quota. Quota will be replenished in 4.02:30:15.',
    { code: 'rate_limited', retryAfterMs: 86_400_000 },
  ],
  [403, 'Out of call volume quota.', { code: 'rate_limited' }],
  [403, 'Forbidden', { code: 'operator', reason: 'not_subscribed' }],
  [429, 'Rate limit is exceeded. Try again in 42 seconds.', { code: 'rate_limited', retryAfterMs: 42_000 }],
  [429, 'Slow down', { code: 'rate_limited' }],
])('classifies %i with "%s" by its text', (status, message, failure) => {
  expect(read(status, message)).toEqual(failure);
});

it.each([
  [401, 'Invalid access token'],
  [404, 'Resource not found'],
  [500, 'subscription key'],
])('classifies %i with "%s" by its status', (status, message) => {
  expect(read(status, message)).toBeUndefined();
});

it('prefers a time in the headers, otherwise classifies by status', () => {
  expect(read(429, 'Rate limit is exceeded. Try again in 42 seconds.', { 'retry-after': '7' })).toBeUndefined();
  expect(readSuuntoError(401, undefined, new Headers())).toBeUndefined();
});
