import type { ExportElement } from '@healthd/apple-export';
import type { WorkoutRecord } from '@healthd/model';
import { quantityOf } from './quantity-text.js';

type Statistic = 'average' | 'minimum' | 'maximum' | 'sum';
type Field = Extract<
  keyof WorkoutRecord,
  | 'heartRateMin'
  | 'heartRateAvg'
  | 'heartRateMax'
  | 'caloriesKcal'
  | 'basalCaloriesKcal'
  | 'stepsCount'
  | 'averageSpeed'
  | 'maxSpeed'
  | 'averageWatts'
  | 'maxWatts'
  | 'averageCadence'
>;
export type WorkoutFigures = { [K in Field]?: number } & { distanceMeters?: number };

const SPEEDS: readonly (readonly [Statistic, Field, string])[] = [
  ['average', 'averageSpeed', 'm/s'],
  ['maximum', 'maxSpeed', 'm/s'],
];
const POWERS: readonly (readonly [Statistic, Field, string])[] = [
  ['average', 'averageWatts', 'W'],
  ['maximum', 'maxWatts', 'W'],
];

/** Workout fields by statistic and figure, with their stored unit. */
const FIELDS: Readonly<Record<string, readonly (readonly [Statistic, Field, string])[]>> = {
  HeartRate: [
    ['average', 'heartRateAvg', 'bpm'],
    ['minimum', 'heartRateMin', 'bpm'],
    ['maximum', 'heartRateMax', 'bpm'],
  ],
  ActiveEnergyBurned: [['sum', 'caloriesKcal', 'kcal']],
  BasalEnergyBurned: [['sum', 'basalCaloriesKcal', 'kcal']],
  StepCount: [['sum', 'stepsCount', 'count']],
  RunningSpeed: SPEEDS,
  CyclingSpeed: SPEEDS,
  RowingSpeed: SPEEDS,
  PaddleSportsSpeed: SPEEDS,
  CrossCountrySkiingSpeed: SPEEDS,
  RunningPower: POWERS,
  CyclingPower: POWERS,
  CyclingCadence: [['average', 'averageCadence', 'rpm']],
};

/** Distance type of an activity. Other distances are by-products, e.g. the steps between two swimming lengths. */
const DISTANCE_OF: Readonly<Record<string, string>> = {
  Cycling: 'DistanceCycling',
  HandCycling: 'DistanceCycling',
  Swimming: 'DistanceSwimming',
  WheelchairWalkPace: 'DistanceWheelchair',
  WheelchairRunPace: 'DistanceWheelchair',
  DownhillSkiing: 'DistanceDownhillSnowSports',
  Snowboarding: 'DistanceDownhillSnowSports',
  SnowSports: 'DistanceDownhillSnowSports',
  CrossCountrySkiing: 'DistanceCrossCountrySkiing',
  Rowing: 'DistanceRowing',
  PaddleSports: 'DistancePaddleSports',
  SkatingSports: 'DistanceSkatingSports',
  Walking: 'DistanceWalkingRunning',
  Running: 'DistanceWalkingRunning',
  Hiking: 'DistanceWalkingRunning',
};

const IDENTIFIER_PREFIX = /^HKQuantityTypeIdentifier/;

/**
 * Reads the `WorkoutStatistics` of a workout or one of its activities. Skips figures with an unknown unit, because the
 * export also contains the underlying records.
 * @param activity HealthKit's name of the activity without prefix, which decides which distance counts
 */
export function workoutFigures(element: ExportElement, activity: string): WorkoutFigures {
  const figures: WorkoutFigures = {};
  const distances = distancesBelow(element);
  for (const { name, attributes } of element.children) {
    if (name !== 'WorkoutStatistics') continue;
    const identifier = (attributes.get('type') ?? '').replace(IDENTIFIER_PREFIX, '');
    for (const [statistic, field, unit] of (Object.hasOwn(FIELDS, identifier) && FIELDS[identifier]) || []) {
      figures[field] = quantityOf(attributes.get(statistic), attributes.get('unit'), unit) ?? figures[field];
    }
  }
  const own = Object.hasOwn(DISTANCE_OF, activity) ? distances.get(DISTANCE_OF[activity]!) : undefined;
  figures.distanceMeters = own ?? (distances.size > 0 ? Math.max(...distances.values()) : undefined);
  return figures;
}

/** Returns meters by identifier without prefix, e.g. `DistanceCycling`. */
export function distancesBelow(element: ExportElement): Map<string, number> {
  const distances = new Map<string, number>();
  for (const { name, attributes } of element.children) {
    const identifier = (attributes.get('type') ?? '').replace(IDENTIFIER_PREFIX, '');
    if (name !== 'WorkoutStatistics' || !identifier.startsWith('Distance')) continue;
    const meters = quantityOf(attributes.get('sum'), attributes.get('unit'), 'm');
    if (meters !== undefined) distances.set(identifier, meters);
  }
  return distances;
}
