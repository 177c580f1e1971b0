import { expect, it } from 'vitest';
import { workoutType } from './sports.js';

it.each([
  ['running', 'running'],
  ['strengthTraining', 'strength_training'],
  ['cross_country_skiing', 'cross_country_skiing'],
  ['Jump rope', 'cardio_training'],
  ['skiing', 'alpine_skiing'],
  ['a sport of tomorrow', 'other'],
  [undefined, 'other'],
])('the sport %s is %s, however it is spelt', (activity, type) => {
  expect(workoutType(activity)).toBe(type);
});
