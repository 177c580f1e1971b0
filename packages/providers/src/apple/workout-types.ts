import type { WorkoutType } from '@healthd/model';

/**
 * HealthKit's activity types: name without the prefix `HKWorkoutActivityType`, number in the enumeration (some writers
 * export it instead of the name), unified type.
 */
const ACTIVITY_TYPES: readonly (readonly [name: string, number: number, type: WorkoutType])[] = [
  ['Walking', 52, 'walking'],
  ['Running', 37, 'running'],
  ['Cycling', 13, 'cycling'],
  ['WheelchairWalkPace', 70, 'wheelchair'],
  ['WheelchairRunPace', 71, 'wheelchair'],
  ['HandCycling', 74, 'cycling'],
  ['Elliptical', 16, 'elliptical'],
  ['StairClimbing', 44, 'stair_climbing'],
  ['Stairs', 68, 'stair_climbing'],
  ['JumpRope', 64, 'cardio_training'],
  ['CoreTraining', 59, 'strength_training'],
  ['FunctionalStrengthTraining', 20, 'strength_training'],
  ['TraditionalStrengthTraining', 50, 'strength_training'],
  ['CrossTraining', 11, 'cardio_training'],
  ['MixedCardio', 73, 'cardio_training'],
  ['HighIntensityIntervalTraining', 63, 'cardio_training'],
  ['StepTraining', 69, 'aerobics'],
  ['FitnessGaming', 76, 'gaming'],
  ['PreparationAndRecovery', 33, 'stretching'],
  ['Flexibility', 62, 'stretching'],
  ['Cooldown', 80, 'stretching'],
  ['Barre', 58, 'aerobics'],
  ['CardioDance', 77, 'dance'],
  ['SocialDance', 78, 'dance'],
  ['Yoga', 57, 'yoga'],
  ['MindAndBody', 29, 'meditation'],
  ['Pilates', 66, 'pilates'],
  ['AmericanFootball', 1, 'american_football'],
  ['AustralianFootball', 3, 'football'],
  ['Baseball', 5, 'baseball'],
  ['Basketball', 6, 'basketball'],
  ['Cricket', 10, 'cricket'],
  ['DiscSports', 75, 'disc_sports'],
  ['Handball', 23, 'handball'],
  ['Hockey', 25, 'hockey'],
  ['Lacrosse', 27, 'lacrosse'],
  ['Rugby', 36, 'rugby'],
  ['Soccer', 41, 'soccer'],
  ['Softball', 42, 'baseball'],
  ['Volleyball', 51, 'volleyball'],
  ['Badminton', 4, 'badminton'],
  ['Pickleball', 79, 'pickleball'],
  ['Racquetball', 34, 'racquetball'],
  ['Squash', 43, 'squash'],
  ['TableTennis', 47, 'table_tennis'],
  ['Tennis', 48, 'tennis'],
  ['Climbing', 9, 'rock_climbing'],
  ['EquestrianSports', 17, 'horseback_riding'],
  ['Fishing', 19, 'fishing'],
  ['Golf', 21, 'golf'],
  ['Hiking', 24, 'hiking'],
  ['Hunting', 26, 'hunting'],
  ['Play', 32, 'play'],
  ['CrossCountrySkiing', 60, 'cross_country_skiing'],
  ['Curling', 12, 'curling'],
  ['DownhillSkiing', 61, 'alpine_skiing'],
  ['SnowSports', 40, 'snow_sports'],
  ['Snowboarding', 67, 'snowboarding'],
  ['SkatingSports', 39, 'skating'],
  ['PaddleSports', 31, 'paddling'],
  ['Rowing', 35, 'rowing'],
  ['Sailing', 38, 'sailing'],
  ['SurfingSports', 45, 'surfing'],
  ['Swimming', 46, 'swimming'],
  ['UnderwaterDiving', 84, 'diving'],
  ['WaterFitness', 53, 'swimming'],
  ['WaterPolo', 54, 'water_polo'],
  ['WaterSports', 55, 'water_sports'],
  ['Boxing', 8, 'boxing'],
  ['Kickboxing', 65, 'boxing'],
  ['MartialArts', 28, 'martial_arts'],
  ['TaiChi', 72, 'martial_arts'],
  ['Wrestling', 56, 'wrestling'],
  ['Archery', 2, 'archery'],
  ['Bowling', 7, 'bowling'],
  ['Fencing', 18, 'fencing'],
  ['Gymnastics', 22, 'gymnastics'],
  ['TrackAndField', 49, 'running'],
  ['SwimBikeRun', 82, 'triathlon'],
  ['Transition', 83, 'transition'],
  ['Dance', 14, 'dance'],
  ['DanceInspiredTraining', 15, 'dance'],
  ['MixedMetabolicCardioTraining', 30, 'cardio_training'],
  ['Other', 3000, 'generic'],
];

/** Names of the mobile client that differ from the activity's name in lower case with underscores. */
const PUSHED_NAMES: Readonly<Record<string, string>> = {
  WheelchairWalkPace: 'wheelchair_walk',
  WheelchairRunPace: 'wheelchair_run',
  TraditionalStrengthTraining: 'strength_training',
  HighIntensityIntervalTraining: 'hiit',
  EquestrianSports: 'equestrian',
  SkatingSports: 'skating',
  SurfingSports: 'surfing',
};

const byPushedName = new Map(
  ACTIVITY_TYPES.map(([name]) => [
    PUSHED_NAMES[name] ?? name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase(),
    name,
  ]),
);
const byName = new Map(ACTIVITY_TYPES.map(([name, , type]) => [name, type]));
const byNumber = new Map(ACTIVITY_TYPES.map(([name, number]) => [String(number), name]));

/** Types with a separate indoor type (`HKIndoorWorkout` is 1). */
const INDOOR: Partial<Record<WorkoutType, WorkoutType>> = {
  running: 'treadmill',
  cycling: 'indoor_cycling',
  rowing: 'rowing_machine',
};

/** Returns HealthKit's name of an activity without its prefix, also for an enumeration number. */
export function activityName(attribute: string): string {
  const name = attribute.replace(/^HKWorkoutActivityType/, '');
  return byNumber.get(name) ?? name;
}

/** Returns HealthKit's name for the mobile client's activity `name` (lower case); undefined for an unknown name. */
export function pushedActivity(name: string): string | undefined {
  return byPushedName.get(name);
}

/** The mobile client's names of all activities. */
export const PUSHED_ACTIVITY_NAMES: readonly string[] = [...byPushedName.keys()];

/** Names of all activities with a specific unified type. */
export const ACTIVITY_NAMES: readonly string[] = ACTIVITY_TYPES.map(([name]) => name);

/**
 * Returns the unified type of an activity; `other` for activities that HealthKit adds later.
 * @param name see {@link activityName}
 * @param context the workout's metadata: indoors, and HealthKit's location for swimming (1 pool, 2 open water)
 */
export function workoutType(name: string, context: { indoor?: boolean; swimmingLocation?: string } = {}): WorkoutType {
  const type = byName.get(name) ?? 'other';
  if (type === 'swimming' && context.swimmingLocation === '1') return 'pool_swimming';
  if (type === 'swimming' && context.swimmingLocation === '2') return 'open_water_swimming';
  return (context.indoor && INDOOR[type]) || type;
}
