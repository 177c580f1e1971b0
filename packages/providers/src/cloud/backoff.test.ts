import { afterEach, expect, it, vi } from 'vitest';
import { repeatDelayMs } from './backoff.js';

afterEach(() => vi.restoreAllMocks());

/** Delays before the first three retries for a fixed random value. */
function waits(chance: number): (number | undefined)[] {
  vi.spyOn(Math, 'random').mockReturnValue(chance);
  return [0, 1, 2].map(repeatDelayMs);
}

it('retries a read twice with random delays under two seconds', () => {
  expect(waits(0)).toEqual([150, 500, undefined]);
  expect(waits(0.5)).toEqual([275, 850, undefined]);
  expect(waits(0.999_999)).toEqual([400, 1200, undefined]);
});
