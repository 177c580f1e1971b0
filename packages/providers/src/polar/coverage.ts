import { SERIES_TYPES } from '@healthd/model';
import { type ProviderCoverage, SLEEP_FIELDS } from '../provider.js';
import { PULLED_SCORES, PULLED_SERIES } from './pull/index.js';

/** What the cloud gives; speed, cadence, power and heights of exercises only where their readings are read. */
export const POLAR_COVERAGE: ProviderCoverage = {
  series: SERIES_TYPES.map(({ code }) => code).filter((code) => PULLED_SERIES.has(code)),
  workoutFields: [
    'average_speed',
    'distance',
    'elev_high',
    'elev_low',
    'energy_burned',
    'heart_rate_avg',
    'heart_rate_max',
  ],
  sleepFields: SLEEP_FIELDS.filter((field) => field !== 'sleep_efficiency_score'),
  menstrualCycleFields: [],
  healthScores: PULLED_SCORES,
};
