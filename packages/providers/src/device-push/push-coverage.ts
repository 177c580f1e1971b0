import { SERIES_TYPES, type SeriesCode } from '@healthd/model';
import { type ProviderCoverage, SLEEP_FIELDS, type WorkoutField } from '../provider.js';
import { WORKOUT_PART_SERIES } from './workout-parts.js';
import { STATISTIC_SERIES } from './workout-statistics.js';

/** Series from the shared parts of a push, in every store. */
const PUSHED_WORKOUT_SERIES: readonly SeriesCode[] = [...STATISTIC_SERIES, ...WORKOUT_PART_SERIES];

/** Workout fields that a push can fill. */
export const PUSHED_WORKOUT_FIELDS: readonly WorkoutField[] = [
  'average_cadence',
  'average_speed',
  'average_watts',
  'distance',
  'elev_high',
  'elev_low',
  'energy_burned',
  'heart_rate_avg',
  'heart_rate_max',
  'heart_rate_min',
  'max_speed',
  'moving_time_seconds',
  'steps_count',
  'total_elevation_gain',
];

/** Returns the coverage of a push-only store. @param recordSeries series of its records */
export function pushCoverage(
  recordSeries: readonly SeriesCode[],
  healthScores: readonly string[] = [],
): ProviderCoverage {
  const emitted = new Set<SeriesCode>([...recordSeries, ...PUSHED_WORKOUT_SERIES]);
  return {
    series: SERIES_TYPES.map(({ code }) => code).filter((code) => emitted.has(code)),
    workoutFields: PUSHED_WORKOUT_FIELDS,
    sleepFields: SLEEP_FIELDS,
    menstrualCycleFields: [],
    healthScores,
  };
}
