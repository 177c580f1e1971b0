import { expect, it } from 'vitest';
import { readPolarError, remaining } from './rate-limit.js';

const USED = {
  'ratelimit-usage': '41, 388',
  'ratelimit-limit': '520,5100',
  'ratelimit-reset': '420, 80000',
};
const of = (change: Record<string, string>) => new Headers({ ...USED, ...change });

it('the headers of Polar say what is left of the quarter of an hour and of the day, and when they end', () => {
  expect(remaining(of({}))).toEqual([
    { requests: 479, seconds: 900, resetSeconds: 420 },
    { requests: 4_712, seconds: 86_400, resetSeconds: 80_000 },
  ]);
  expect(remaining(of({ 'ratelimit-usage': '530,388' }))[0]).toMatchObject({ requests: 0 });
});

it('headers of Polar that are missing or no numbers say nothing', () => {
  expect(remaining(new Headers())).toEqual([]);
  expect(remaining(of({ 'ratelimit-usage': 'many' }))).toEqual([]);
  expect(remaining(of({ 'ratelimit-limit': '520' }))).toHaveLength(1);
  expect(remaining(of({ 'ratelimit-reset': '1799999999,1' }))[0]).toEqual({ requests: 479, seconds: 900 });
});

it('a refusal for too many requests lasts until the window ends that is used up', () => {
  const waits = (change: Record<string, string>) => readPolarError(429, {}, of(change))?.retryAfterMs;
  expect(waits({ 'ratelimit-usage': '521,388' })).toBe(420_000);
  expect(waits({ 'ratelimit-usage': '521,5101' })).toBe(80_000_000);
  expect(readPolarError(429, {}, new Headers())?.retryAfterMs).toBe(900_000);
  expect(readPolarError(429, {}, of({ 'retry-after': '5' }))).toBeUndefined();
  expect(readPolarError(403, {}, of({}))).toBeUndefined();
});
