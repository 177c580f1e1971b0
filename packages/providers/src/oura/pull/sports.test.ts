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
])('maps the sport %s to %s in any spelling', (activity, type) => {
  expect(workoutType(activity)).toBe(type);
});
