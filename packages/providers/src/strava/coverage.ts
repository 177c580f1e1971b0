import { SERIES_TYPES } from '@healthd/model';
import type { ProviderCoverage } from '../provider.js';
import { STREAM_SERIES } from './pull/index.js';

/** What the cloud gives; the series only where streams are read. */
export const STRAVA_COVERAGE: ProviderCoverage = {
  series: SERIES_TYPES.map(({ code }) => code).filter((code) => STREAM_SERIES.has(code)),
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
    'max_speed',
    'max_watts',
    'moving_time_seconds',
    'total_elevation_gain',
  ],
  sleepFields: [],
  menstrualCycleFields: [],
  healthScores: [],
};
