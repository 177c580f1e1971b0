import { describe, expect, it } from 'vitest';
import { hasPace, isWorkoutType, WORKOUT_TYPES } from './workouts.js';

describe('workout types', () => {
  it('lists the 117 distinct types of the unified vocabulary', () => {
    expect(WORKOUT_TYPES).toHaveLength(117);
    expect(new Set(WORKOUT_TYPES).size).toBe(117);
  });

  it('distinguishes workout types from other text', () => {
    expect(isWorkoutType('trail_running')).toBe(true);
    expect(isWorkoutType('Running')).toBe(false);
    expect(isWorkoutType('')).toBe(false);
  });

  it('defines a pace for 28 types', () => {
    expect(WORKOUT_TYPES.filter(hasPace)).toHaveLength(28);
  });

  it.each(['running', 'cycling', 'open_water_swimming', 'ice_skating', 'rowing', 'triathlon'] as const)(
    '%s has a pace',
    (type) => {
      expect(hasPace(type)).toBe(true);
    },
  );

  it.each(['diving', 'alpine_skiing', 'snowshoeing', 'rowing_machine', 'yoga', 'skateboarding', 'multisport'] as const)(
    '%s has no pace',
    (type) => {
      expect(hasPace(type)).toBe(false);
    },
  );
});
