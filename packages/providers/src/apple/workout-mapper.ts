import { type ExportElement, parseInstant } from '@healthd/apple-export';
import {
  brokenLength,
  type HealthRecord,
  type Rejected,
  type SeriesCode,
  seriesTypeByCode,
  WORKOUT_LENGTH,
  type WorkoutRecord,
  workoutIdentity,
  ZoneOffsets,
  ZoneObservations,
} from '@healthd/model';
import { intervalProblem } from '../interval.js';
import { namedOffset, TIME_ZONE_KEY } from './named-offset.js';
import { parseHundredths, parseQuantity, quantityOf } from './quantity-text.js';
import { rejected } from './rejection.js';
import { appleSource } from './source.js';
import { durationSeconds, metadataOf, workoutActivities, workoutEvents } from './workout-parts.js';
import { workoutFigures } from './workout-statistics.js';
import { activityName, workoutType } from './workout-types.js';

const COLLECTION = 'Workout';
const zones = new ZoneOffsets();

/** Series with one value in a workout's metadata; coverage lists them. */
export const WORKOUT_SERIES = ['average_met', 'weather_temperature', 'weather_humidity'] as const;

/**
 * Maps a `Workout` element and its children to a workout and one value for each of {@link WORKOUT_SERIES} in its
 * metadata, stamped at the workout's end. Statistics apply to the workout only, because their samples are separate
 * Records.
 */
export function mapWorkout(
  element: ExportElement,
  index: number,
  observations = new ZoneObservations('apple'),
): (HealthRecord | Rejected)[] {
  const { attributes } = element;
  const missing = ['workoutActivityType', 'startDate', 'endDate'].find((name) => !attributes.get(name));
  if (missing) return [rejected(COLLECTION, index, 'missing_attribute', { field: missing })];
  const start = parseInstant(attributes.get('startDate') ?? '');
  const end = parseInstant(attributes.get('endDate') ?? '');
  const problem = intervalProblem(start?.ms ?? Number.NaN, end?.ms ?? Number.NaN);
  if (problem) return [rejected(COLLECTION, index, problem.code, { field: problem.field })];
  if (start === undefined || end === undefined) return [];
  if (start.ms === end.ms) return [rejected(COLLECTION, index, 'empty_interval', { field: 'endDate' })];
  const bound = brokenLength({ startMs: start.ms, endMs: end.ms }, WORKOUT_LENGTH);
  if (bound !== undefined) return [rejected(COLLECTION, index, 'implausible', { field: 'endDate', detail: bound })];

  const metadata = metadataOf(element);
  const zone = metadata.get(TIME_ZONE_KEY);
  const workout = workoutOf(element, metadata, start.ms, end.ms);
  workout.offsetMinutes =
    (zone === undefined ? undefined : namedOffset(zone, start.ms, zones, observations)) ?? start.offsetMinutes;
  return [workout, ...samplesOf(workout, metadata)];
}

function workoutOf(element: ExportElement, metadata: Map<string, string>, startMs: number, endMs: number) {
  const { attributes } = element;
  const activity = activityName(attributes.get('workoutActivityType') ?? '');
  const indoor = flag(metadata.get('HKIndoorWorkout'));
  const figures = workoutFigures(element, activity);
  const active = durationSeconds(attributes);
  const events = workoutEvents(element);
  const workout: WorkoutRecord = {
    kind: 'workout',
    source: appleSource({
      sourceName: attributes.get('sourceName'),
      sourceVersion: attributes.get('sourceVersion'),
      device: attributes.get('device'),
    }),
    externalId: metadata.get('HKMetadataKeySyncIdentifier') || undefined,
    type: workoutType(activity, { indoor, swimmingLocation: metadata.get('HKSwimmingLocationType') }),
    startMs,
    endMs,
    durationSeconds: active ?? (endMs - startMs) / 1000,
    movingSeconds: active,
    ...figures,
    indoor,
    userEntered: flag(metadata.get('HKWasUserEntered')),
    elevationGainMeters: parseQuantity(metadata.get('HKElevationAscended'), 'm'),
    events: events.length > 0 ? events : undefined,
    activities: workoutActivities(element),
    metadata: furtherFacts(attributes, metadata),
  };
  // Before iOS 16 the workout element contained the totals.
  workout.caloriesKcal ??= total(attributes, 'totalEnergyBurned', 'kcal');
  workout.distanceMeters ??= total(attributes, 'totalDistance', 'm');
  workout.averageSpeed ??= parseQuantity(metadata.get('HKAverageSpeed'), 'm/s');
  workout.maxSpeed ??= parseQuantity(metadata.get('HKMaximumSpeed'), 'm/s');
  if (workout.caloriesKcal !== undefined && workout.basalCaloriesKcal !== undefined) {
    workout.totalCaloriesKcal = workout.caloriesKcal + workout.basalCaloriesKcal;
  }
  return workout;
}

function samplesOf(workout: WorkoutRecord, metadata: Map<string, string>): HealthRecord[] {
  const values: Record<(typeof WORKOUT_SERIES)[number], number | undefined> = {
    average_met: parseQuantity(metadata.get('HKAverageMETs'), 'met'),
    weather_temperature: parseQuantity(metadata.get('HKWeatherTemperature'), 'celsius'),
    weather_humidity: parseHundredths(metadata.get('HKWeatherHumidity')),
  };
  return Object.entries(values).flatMap(([code, value]): HealthRecord[] => {
    if (value === undefined) return [];
    const { source, endMs: startMs, offsetMinutes } = workout;
    const { id: typeId } = seriesTypeByCode(code as SeriesCode);
    return [
      {
        kind: 'sample',
        sampleKind: 'aggregate',
        externalId: workoutIdentity(workout),
        source,
        typeId,
        startMs,
        offsetMinutes,
        value,
      },
    ];
  });
}

function furtherFacts(attributes: Map<string, string>, metadata: Map<string, string>): WorkoutRecord['metadata'] {
  const facts: Record<string, string | number | undefined> = {
    lap_length_meters: parseQuantity(metadata.get('HKLapLength'), 'm'),
    elevation_loss_meters: parseQuantity(metadata.get('HKElevationDescended'), 'm'),
    swimming_stroke_count: total(attributes, 'totalSwimmingStrokeCount', 'count'),
    flights_climbed_count: total(attributes, 'totalFlightsClimbed', 'count'),
    brand_name: metadata.get('HKWorkoutBrandName'),
    time_zone: metadata.get(TIME_ZONE_KEY),
  };
  const known = Object.entries(facts).flatMap(([key, fact]) => (fact === undefined ? [] : [[key, fact] as const]));
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}

function total(attributes: Map<string, string>, name: string, toUnit: string): number | undefined {
  return quantityOf(attributes.get(name), attributes.get(`${name}Unit`), toUnit);
}

function flag(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : text === '1' || text.toLowerCase() === 'true';
}
