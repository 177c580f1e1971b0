import { expect, it } from 'vitest';
import { readPolarError, remaining } from './rate-limit.js';

const USED = {
  'ratelimit-usage': '41, 388',
  'ratelimit-limit': '520,5100',
  'ratelimit-reset': '420, 80000',
};
const of = (change: Record<string, string>) => new Headers({ ...USED, ...change });

it('reads remaining requests and reset times of both windows', () => {
  expect(remaining(of({}))).toEqual([
    { requests: 479, seconds: 900, resetSeconds: 420 },
    { requests: 4_712, seconds: 86_400, resetSeconds: 80_000 },
  ]);
  expect(remaining(of({ 'ratelimit-usage': '530,388' }))[0]).toMatchObject({ requests: 0 });
});

it('ignores missing or invalid rate-limit headers', () => {
  expect(remaining(new Headers())).toEqual([]);
  expect(remaining(of({ 'ratelimit-usage': 'many' }))).toEqual([]);
  expect(remaining(of({ 'ratelimit-limit': '520' }))).toHaveLength(1);
  expect(remaining(of({ 'ratelimit-reset': '1799999999,1' }))[0]).toEqual({ requests: 479, seconds: 900 });
});

it('retries a rate-limited request when the used-up window ends', () => {
  const waits = (change: Record<string, string>) => readPolarError(429, {}, of(change))?.retryAfterMs;
  expect(waits({ 'ratelimit-usage': '521,388' })).toBe(420_000);
  expect(waits({ 'ratelimit-usage': '521,5101' })).toBe(80_000_000);
  expect(readPolarError(429, {}, new Headers())?.retryAfterMs).toBe(900_000);
  expect(readPolarError(429, {}, of({ 'retry-after': '5' }))).toBeUndefined();
  expect(readPolarError(403, {}, of({}))).toBeUndefined();
});
