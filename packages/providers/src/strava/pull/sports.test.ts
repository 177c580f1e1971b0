import { expect, it } from 'vitest';
import { workoutType } from './sports.js';

it.each([
  ['GravelRide', 'Ride', false, 'cycling'],
  ['EMountainBikeRide', 'EBikeRide', false, 'e_biking'],
  ['Ride', 'Ride', true, 'indoor_cycling'],
  ['VirtualRide', 'VirtualRide', true, 'indoor_cycling'],
  ['Run', 'Run', true, 'treadmill'],
  ['TrailRun', 'Run', false, 'trail_running'],
  ['NordicSki', 'NordicSki', false, 'cross_country_skiing'],
  ['HighIntensityIntervalTraining', 'Workout', false, 'cardio_training'],
  ['Padel', 'Workout', false, 'padel'],
  ['PhysicalTherapy', undefined, false, 'other'],
  ['SportOfTomorrow', 'Ride', false, 'cycling'],
  [undefined, 'Walk', false, 'walking'],
  [undefined, undefined, true, 'other'],
])('maps the sport %s (older type %s, trainer: %s) to %s', (sport, type, trainer, expected) => {
  expect(workoutType(sport, type, trainer)).toBe(expected);
});
