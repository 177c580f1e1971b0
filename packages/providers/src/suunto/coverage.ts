import { SERIES_TYPES } from '@healthd/model';
import type { ProviderCoverage } from '../provider.js';
import { LISTED_SERIES, READING_SERIES } from './records/index.js';

/**
 * What the cloud gives, read or pushed. Nights have sums of their stages and no intervals. `energy` includes what the body spends
 * at rest: the vendor gives one figure of both. Some series come with the FIT files of workouts alone.
 */
export const SUUNTO_COVERAGE: ProviderCoverage = {
  series: SERIES_TYPES.map(({ code }) => code).filter((code) => LISTED_SERIES.has(code) || READING_SERIES.has(code)),
  workoutFields: [
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
    'max_watts',
    'moving_time_seconds',
    'steps_count',
    'total_elevation_gain',
  ],
  sleepFields: [
    'is_nap',
    'sleep_awake_minutes',
    'sleep_deep_minutes',
    'sleep_efficiency_score',
    'sleep_light_minutes',
    'sleep_rem_minutes',
    'sleep_time_in_bed_minutes',
    'sleep_total_duration_minutes',
  ],
  menstrualCycleFields: [],
  healthScores: ['sleep', 'recovery'],
};
