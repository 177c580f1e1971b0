import { expect, it } from 'vitest';
import { remaining } from './rate-limit.js';

const LIMITS = '100, 100;window=60, 10000;window=86400';

it.each([
  ['the minute limit applies', LIMITS, '97', { requests: 97, seconds: 60 }],
  ['the daily limit applies', `10000${LIMITS.slice(3)}`, '12', { requests: 12, seconds: 86_400 }],
  ['no window has the limit', '50', '3', undefined],
  ['the remainder is not a number', LIMITS, 'many', undefined],
])('returns the expected remaining requests if %s', (_, limit, left, expected) => {
  const headers = new Headers({ 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': left });
  expect(remaining(headers)).toEqual(expected);
});

it('returns undefined without rate-limit headers', () => {
  expect(remaining(new Headers())).toBeUndefined();
});

it.each([
  ['41', { requests: 3, seconds: 60, resetSeconds: 41 }],
  ['61', { requests: 3, seconds: 60 }],
  ['soon', { requests: 3, seconds: 60 }],
])('reads a reset after %s seconds only if the value is possible', (reset, expected) => {
  const headers = new Headers({
    'x-ratelimit-limit': LIMITS,
    'x-ratelimit-remaining': '3',
    'x-ratelimit-reset': reset,
  });
  expect(remaining(headers)).toEqual(expected);
});
