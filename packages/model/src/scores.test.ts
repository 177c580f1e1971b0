import { expect, it } from 'vitest';
import { scoreScale } from './scores.js';

it.each([
  ['whoop', 'recovery', 0, 100],
  ['whoop', 'strain', 0, 21],
  ['oura', 'readiness', 1, 100],
  ['garmin', 'body_battery', 0, 100],
  ['ultrahuman', 'recovery', 0, 100],
  ['polar', 'recovery', 1, 6],
  ['polar', 'readiness', 0, 10],
  ['polar', 'strain', 0, undefined],
  ['polar', 'sleep', 1, 100],
  ['polar', 'sleep_timing', 1, 3],
])('a score of %s for %s is between %d and %s', (provider, category, min, max) => {
  expect(scoreScale(provider, category)).toEqual({ min, max });
});

it.each([
  ['whoop', 'readiness'],
  ['google', 'sleep'],
  ['unknown', 'sleep'],
  ['oura', 'luck'],
])('the scale of %s for %s is unknown', (provider, category) => {
  expect(scoreScale(provider, category)).toBeUndefined();
});
