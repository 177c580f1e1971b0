import type { WorkoutType } from './workouts.js';

/**
 * Types that two sources may use for the same workout. For example, a watch reports `trail_running`, and the app that
 * receives the watch's uploads reports `running`. Every other type is its own family.
 */
const FAMILIES = {
  running: ['running', 'trail_running', 'treadmill'],
  walking: ['walking', 'hiking', 'trail_hiking', 'mountaineering', 'walking_fitness', 'casual_walking', 'snowshoeing'],
  cycling: ['cycling', 'mountain_biking', 'indoor_cycling', 'cyclocross', 'e_biking'],
  swimming: ['swimming', 'pool_swimming', 'open_water_swimming'],
  diving: ['diving', 'snorkeling'],
  gym: ['strength_training', 'cardio_training', 'fitness_equipment', 'stair_climbing', 'group_exercise', 'aerobics'],
  dance: ['dance'],
  elliptical: ['elliptical'],
  mind_and_body: ['yoga', 'pilates', 'stretching', 'meditation', 'recovery'],
  skiing: [
    'alpine_skiing',
    'downhill_skiing',
    'backcountry_skiing',
    'cross_country_skiing',
    'snowboarding',
    'snow_sports',
    'winter_sports',
  ],
  skating: ['skating', 'ice_skating', 'inline_skating'],
  rowing: ['rowing', 'rowing_machine'],
  paddling: ['paddling', 'kayaking', 'canoeing', 'stand_up_paddleboarding'],
  wind_and_wave: ['surfing', 'kitesurfing', 'windsurfing', 'wakeboarding', 'water_skiing', 'water_sports'],
  boating: ['sailing', 'boating'],
  football: ['soccer', 'football', 'american_football', 'rugby', 'team_sports'],
  racket: ['tennis', 'badminton', 'squash', 'table_tennis', 'padel', 'pickleball', 'racquetball', 'racket_sports'],
  combat: ['boxing', 'martial_arts', 'wrestling'],
  climbing: ['rock_climbing', 'indoor_climbing', 'bouldering'],
  multisport: ['triathlon', 'multisport'],
  motor: ['motorcycling', 'motor_sports'],
  generic: ['generic', 'other', 'sport'],
} as const satisfies Record<string, readonly WorkoutType[]>;

/** A named family, or the workout type itself if it has no named family. */
export type WorkoutFamily = keyof typeof FAMILIES | WorkoutType;

const familyOf = new Map<WorkoutType, WorkoutFamily>(
  (Object.keys(FAMILIES) as (keyof typeof FAMILIES)[]).flatMap((family) =>
    FAMILIES[family].map((type): [WorkoutType, WorkoutFamily] => [type, family]),
  ),
);

/**
 * Returns the family of a workout type. Overlapping workouts of different sources count as the same workout only if
 * their families are equal.
 */
export function workoutFamily(type: WorkoutType): WorkoutFamily {
  return familyOf.get(type) ?? type;
}
