import { expect, it } from 'vitest';
import { secondsOfDuration } from './values.js';

it.each([
  ['PT41M12.5S', 2_472.5],
  ['PT4H6M30S', 14_790],
  ['PT8H', 28_800],
  ['P1DT1S', 86_401],
  ['PT0S', 0],
  ['PT', undefined],
  ['P', undefined],
  ['41:12', undefined],
  [90, undefined],
  [null, undefined],
])('parses the duration %j as %j seconds', (text, seconds) => {
  expect(secondsOfDuration(text)).toBe(seconds);
});
