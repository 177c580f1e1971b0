import { expect, it } from 'vitest';
import { isAnyNear } from './near-times.js';

it.each([
  [[], 100, false],
  [[91], 100, true],
  [[90], 100, false],
  [[109], 100, true],
  [[110], 100, false],
  [[10, 50, 100, 200], 100, true],
  [[10, 50, 90, 110, 200], 100, false],
  [[10, 50, 89, 101], 100, true],
])('finds a time in %j closer than 10 to %i: %s', (times, ms, isNear) => {
  expect(isAnyNear(times, ms, 10)).toBe(isNear);
});
