import { afterEach, expect, it, vi } from 'vitest';
import { repeatDelayMs } from './backoff.js';

afterEach(() => vi.restoreAllMocks());

/** The waits before the first, second and third repeat, as chance has it. */
function waits(chance: number): (number | undefined)[] {
  vi.spyOn(Math, 'random').mockReturnValue(chance);
  return [0, 1, 2].map(repeatDelayMs);
}

it('a read is repeated twice, after waits that chance spreads and that take less than two seconds together', () => {
  expect(waits(0)).toEqual([150, 500, undefined]);
  expect(waits(0.5)).toEqual([275, 850, undefined]);
  expect(waits(0.999_999)).toEqual([400, 1200, undefined]);
});
