import { expect, it } from 'vitest';
import { workoutType } from './sports.js';

it.each([
  ['OTHER', 'RUNNING_TRAIL', 'trail_running'],
  ['RUNNING', 'RUNNING_TRAIL', 'trail_running'],
  ['RUNNING', 'RUNNING_OF_TOMORROW', 'running'],
  ['CYCLING', undefined, 'cycling'],
  ['OTHER', 'WATERSPORTS_WATERSKI', 'water_skiing'],
  ['OTHER', 'RACKET_SPORTS_PADEL', 'padel'],
  ['OTHER', 'SPORT_OF_TOMORROW', 'generic'],
  ['OTHER', undefined, 'generic'],
  ['SPORT_OF_TOMORROW', undefined, 'other'],
  [undefined, undefined, 'other'],
])('maps the Polar sport %s with the detail %s to %s', (sport, detail, type) => {
  expect(workoutType(sport, detail)).toBe(type);
});
