import {
  ALTITUDE,
  brokenBound,
  CLIMB,
  ITEM_LIMITS,
  MS_PER_DAY,
  type PlausibleRange,
  type Rejected,
  SAMPLE_KIND_CODE,
  type SeriesCode,
  seriesTypeByCode,
  TOO_MANY,
  WORKOUT_LENGTH,
  type WorkoutRecord,
} from '@healthd/model';

type FigureName = {
  [Name in keyof WorkoutRecord]-?: WorkoutRecord[Name] extends number | undefined
    ? undefined extends WorkoutRecord[Name]
      ? Name
      : never
    : never;
}[keyof WorkoutRecord];

type FigureFault = Pick<Rejected, 'field' | 'code' | 'detail'>;

/** Validation rule of a workout figure. */
interface FigureRule {
  name: Exclude<FigureName, 'offsetMinutes'>;
  /** Name in rejections. */
  field: string;
  /** Returns the violated bound as text. */
  broken(value: number, days: number): string | undefined;
}

/** Validates a figure like a value of its series. The limit of an amount applies to each day of the workout. */
const likeSeries =
  (code: SeriesCode, isAmount: boolean): FigureRule['broken'] =>
  (value, days) =>
    brokenBound(seriesTypeByCode(code).id, isAmount ? value / days : value, undefined, SAMPLE_KIND_CODE.aggregate);

const within =
  ({ min, max, longMax }: PlausibleRange, unit: string): FigureRule['broken'] =>
  (value, days) => {
    const highest = longMax === undefined ? max : longMax * days;
    return value >= min && value <= highest ? undefined : `${min}..${highest} ${unit}`;
  };

const LENGTH = within({ min: 0, max: WORKOUT_LENGTH.maxMs / 1000, reason: WORKOUT_LENGTH.reason }, 's');
const [distance, energy] = [likeSeries('distance_other', true), likeSeries('energy', true)];
const [heartRate, speed, power] = [
  likeSeries('heart_rate', false),
  likeSeries('speed', false),
  likeSeries('power', false),
];

const RULES: readonly FigureRule[] = [
  { name: 'durationSeconds', field: 'duration_seconds', broken: LENGTH },
  { name: 'movingSeconds', field: 'moving_seconds', broken: LENGTH },
  { name: 'distanceMeters', field: 'distance_meters', broken: distance },
  { name: 'caloriesKcal', field: 'calories_kcal', broken: energy },
  { name: 'basalCaloriesKcal', field: 'basal_calories_kcal', broken: energy },
  { name: 'totalCaloriesKcal', field: 'total_calories_kcal', broken: energy },
  { name: 'stepsCount', field: 'steps_count', broken: likeSeries('steps', true) },
  { name: 'heartRateMin', field: 'heart_rate_min', broken: heartRate },
  { name: 'heartRateAvg', field: 'heart_rate_avg', broken: heartRate },
  { name: 'heartRateMax', field: 'heart_rate_max', broken: heartRate },
  { name: 'averageSpeed', field: 'average_speed', broken: speed },
  { name: 'maxSpeed', field: 'max_speed', broken: speed },
  { name: 'averageWatts', field: 'average_watts', broken: power },
  { name: 'maxWatts', field: 'max_watts', broken: power },
  { name: 'averageCadence', field: 'average_cadence', broken: likeSeries('cadence', false) },
  { name: 'elevationGainMeters', field: 'elevation_gain_meters', broken: within(CLIMB, 'm') },
  { name: 'elevationLowMeters', field: 'elevation_low_meters', broken: within(ALTITUDE, 'm') },
  { name: 'elevationHighMeters', field: 'elevation_high_meters', broken: within(ALTITUDE, 'm') },
];

/**
 * Returns a workout without implausible figures and without events and activities beyond the limit, and the reasons for
 * removing them. Vendors use 0 for unmeasured values.
 */
export function plausibleFigures<Workout extends WorkoutRecord>(
  workout: Workout,
): { workout: Workout; faults: FigureFault[] } {
  const days = Math.max(1, (workout.endMs - workout.startMs) / MS_PER_DAY);
  const remaining = { ...workout };
  const faults = RULES.flatMap<FigureFault>(({ name, field, broken }) => {
    const value = workout[name];
    if (value === undefined || value === null || value === 0) return [];
    const detail = broken(value, days);
    if (detail === undefined) return [];
    remaining[name] = undefined;
    return Number.isFinite(value) ? [{ field, code: 'implausible', detail }] : [{ field, code: 'value_not_finite' }];
  });
  remaining.events = withinLimit('events', workout.events, faults);
  remaining.activities = withinLimit('activities', workout.activities, faults);
  return { workout: remaining, faults };
}

function withinLimit<Part>(
  field: string,
  parts: readonly Part[] | undefined,
  faults: FigureFault[],
): Part[] | undefined {
  const limit = ITEM_LIMITS.partsOfWorkout;
  if (parts === undefined || parts.length <= limit) return parts as Part[] | undefined;
  faults.push({ field, code: TOO_MANY, detail: `${limit} ${field} of a workout` });
  return parts.slice(0, limit);
}
