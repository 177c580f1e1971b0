import { describe, expect, it } from 'vitest';
import { workoutFamily } from './workout-family.js';
import { WORKOUT_TYPES, type WorkoutType } from './workouts.js';

describe('one workout with different types in two sources', () => {
  it.each<[WorkoutType, WorkoutType]>([
    ['trail_running', 'running'],
    ['treadmill', 'running'],
    ['hiking', 'walking'],
    ['indoor_cycling', 'cycling'],
    ['pool_swimming', 'swimming'],
    ['rowing_machine', 'rowing'],
    ['kayaking', 'paddling'],
    ['downhill_skiing', 'alpine_skiing'],
    ['strength_training', 'fitness_equipment'],
    ['other', 'generic'],
  ])('%s and %s belong to one family', (one, other) => {
    expect(workoutFamily(one)).toBe(workoutFamily(other));
  });
});

describe('two different workouts', () => {
  it.each<[WorkoutType, WorkoutType]>([
    ['running', 'cycling'],
    ['running', 'walking'],
    ['swimming', 'diving'],
    ['rowing', 'paddling'],
    ['golf', 'horseback_riding'],
    ['strength_training', 'yoga'],
  ])('%s and %s belong to different families', (one, other) => {
    expect(workoutFamily(one)).not.toBe(workoutFamily(other));
  });
});

it('puts a workout type into the family of the same name', () => {
  for (const type of WORKOUT_TYPES) {
    const family = workoutFamily(type);
    if ((WORKOUT_TYPES as readonly string[]).includes(family))
      expect(workoutFamily(family as WorkoutType)).toBe(family);
  }
});
