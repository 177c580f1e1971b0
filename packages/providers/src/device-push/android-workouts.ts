import { WORKOUT_TYPES, type WorkoutType } from '@healthd/model';

const UNIFIED: ReadonlyMap<string, WorkoutType> = new Map(WORKOUT_TYPES.map((type) => [type, type]));

/** Names of the Android clients, lower case, that differ from their unified type. */
const ANDROID_WORKOUTS: Readonly<Record<string, WorkoutType>> = {
  australian_football: 'football',
  barre: 'aerobics',
  boot_camp: 'cardio_training',
  calisthenics: 'strength_training',
  climbing: 'rock_climbing',
  cycling_stationary: 'indoor_cycling',
  dancing: 'dance',
  downhill_skiing: 'alpine_skiing',
  exercise_class: 'cardio_training',
  flexibility: 'stretching',
  football_american: 'american_football',
  football_australian: 'football',
  frisbee_disc: 'disc_sports',
  guided_breathing: 'meditation',
  hiit: 'cardio_training',
  ice_hockey: 'hockey',
  other: 'generic',
  roller_hockey: 'hockey',
  running_treadmill: 'treadmill',
  scuba_diving: 'diving',
  skiing: 'alpine_skiing',
  softball: 'baseball',
  stair_climbing_machine: 'stair_climbing',
  swimming_open_water: 'open_water_swimming',
  swimming_pool: 'pool_swimming',
  tai_chi: 'martial_arts',
  weightlifting: 'strength_training',
};

/** All workout names that an Android client may send. */
export const ANDROID_WORKOUT_NAMES: readonly string[] = [
  ...new Set([...Object.keys(ANDROID_WORKOUTS), ...WORKOUT_TYPES]),
];

/** Returns the unified type for an Android client's name; undefined if it is unknown. */
export function androidWorkoutType(name: string): WorkoutType | undefined {
  return Object.hasOwn(ANDROID_WORKOUTS, name) ? ANDROID_WORKOUTS[name] : UNIFIED.get(name);
}
