import { MS_PER_DAY } from '@healthd/model';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.js';

const NOW = Date.UTC(2026, 3, 2, 16, 40, 30);

it('reads Retry-After in whole seconds', () => {
  expect(retryAfterMs('0', NOW)).toBe(0);
  expect(retryAfterMs(' 120 ', NOW)).toBe(120_000);
});

it('reads an HTTP date in Retry-After as a nonnegative delay', () => {
  expect(retryAfterMs('Thu, 02 Apr 2026 16:41:00 GMT', NOW)).toBe(30_000);
  expect(retryAfterMs('Thu, 02 Apr 2026 16:00:00 GMT', NOW)).toBe(0);
});

it('limits Retry-After to one day', () => {
  expect(retryAfterMs('99999999999999999999', NOW)).toBe(MS_PER_DAY);
  expect(retryAfterMs('Thu, 02 Apr 2099 16:41:00 GMT', NOW)).toBe(MS_PER_DAY);
});

it('ignores Retry-After that is neither whole seconds nor an HTTP date', () => {
  for (const header of [
    null,
    '',
    '-5',
    '1.5',
    '1e3',
    '0x10',
    'soon',
    '2026-04-02T16:41:00Z',
    'Thu, 99 Apr 2026 16:41:00 GMT',
  ]) {
    expect(retryAfterMs(header, NOW), String(header)).toBeUndefined();
  }
});

it('converts seconds up to a day to milliseconds', () => {
  fc.assert(
    fc.property(fc.nat(86_400), (seconds) => {
      expect(retryAfterMs(String(seconds), NOW)).toBe(seconds * 1000);
    }),
  );
});

it('reads any server date to the second', () => {
  fc.assert(
    fc.property(fc.integer({ min: -MS_PER_DAY, max: MS_PER_DAY }), (distanceMs) => {
      const atMs = NOW + distanceMs;
      const expected = Math.max(0, Math.floor(atMs / 1000) * 1000 - NOW);
      expect(retryAfterMs(new Date(atMs).toUTCString(), NOW)).toBe(expected);
    }),
  );
});

it('returns a delay of at most a day, if any', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.bigInt().map(String)), (header) => {
      const ms = retryAfterMs(header, NOW);
      if (ms === undefined) return;
      expect(ms).toBeGreaterThanOrEqual(0);
      expect(ms).toBeLessThanOrEqual(MS_PER_DAY);
    }),
  );
});
