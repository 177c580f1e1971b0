import { expect, it } from 'vitest';
import { paceSecondsPerKm } from './workouts.js';

it.each([
  ['running', 10_420.7, null, 3980, 382],
  ['running', 10_000, 3600, 3980, 360],
  ['yoga', 10_000, 3600, 3980, null],
  ['unheard_of', 10_000, 3600, 3980, null],
  ['walking', 49.9, null, 600, null],
  ['walking', 50, null, 30, 600],
  ['cycling', null, null, 3600, null],
  ['cycling', 20_000, null, null, null],
])(
  'computes the pace of %s over %s m, %s s moving, %s s total: %s s/km',
  (type, distanceMeters, movingSeconds, durationSeconds, pace) => {
    expect(paceSecondsPerKm({ type, distanceMeters, movingSeconds, durationSeconds })).toBe(pace);
  },
);
