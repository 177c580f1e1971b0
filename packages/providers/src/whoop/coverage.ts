import { SERIES_TYPES } from '@healthd/model';
import type { ProviderCoverage } from '../provider.js';
import { PULLED_SERIES } from './pull/index.js';

/** What the cloud gives. Nights have sums of their stages and no intervals. */
export const WHOOP_COVERAGE: ProviderCoverage = {
  series: SERIES_TYPES.map(({ code }) => code).filter((code) => PULLED_SERIES.has(code)),
  workoutFields: [
    'distance',
    'energy_burned',
    'heart_rate_avg',
    'heart_rate_max',
    'moving_time_seconds',
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
  healthScores: ['sleep', 'recovery', 'strain'],
};
