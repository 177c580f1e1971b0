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
])('a score of %s for %s lies between %d and %s', (provider, category, min, max) => {
  expect(scoreScale(provider, category)).toEqual({ min, max });
  expect(scoreScale(provider, category, {})).toEqual({ min, max });
  expect(scoreScale(provider, category, null)).toEqual({ min, max });
});

it.each([
  ['whoop', 'readiness'],
  ['google', 'sleep'],
  ['unknown', 'sleep'],
  ['oura', 'luck'],
])('the scale of %s for %s is not known', (provider, category) => {
  expect(scoreScale(provider, category)).toBeUndefined();
});

it('a sleep score about the time of going to bed is a grade from 1 to 3, and no other score is', () => {
  const bedtime = { sleep_gate_start: { value: 1 } };
  expect(scoreScale('polar', 'sleep', bedtime)).toEqual({ min: 1, max: 3 });
  expect(scoreScale('polar', 'sleep', { other: 1 })).toEqual({ min: 1, max: 100 });
  expect(scoreScale('polar', 'recovery', bedtime)).toEqual({ min: 1, max: 6 });
});
