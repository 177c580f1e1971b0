import { expect, it } from 'vitest';
import { workoutType } from './sports.js';

it.each([
  ['running', 'running'],
  ['weightlifting_msk', 'strength_training'],
  ['powerlifting msk', 'strength_training'],
  ['track-field', 'running'],
  ['hiking-rucking', 'hiking'],
  ['Hiking/Rucking', 'hiking'],
  ['hot_tub', 'recovery'],
  ['muay_thai', 'martial_arts'],
  ['sauna', 'recovery'],
  ["barry's", 'group_exercise'],
  ['operations - tactical', 'operations'],
  ['a sport of tomorrow', 'other'],
])('maps the sport "%s" to %s in any spelling', (name, type) => {
  expect(workoutType(name, 1)).toBe(type);
});

it("uses a sport's id only if its name is missing", () => {
  expect(workoutType(undefined, 0)).toBe('running');
  expect(workoutType(undefined, 9_999)).toBe('other');
  expect(workoutType(undefined, undefined)).toBe('other');
});
