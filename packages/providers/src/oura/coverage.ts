import { SERIES_TYPES } from '@healthd/model';
import { type ProviderCoverage, SLEEP_FIELDS } from '../provider.js';
import { PULLED_SCORES, PULLED_SERIES } from './pull/index.js';

/** What the cloud gives. */
export const OURA_COVERAGE: ProviderCoverage = {
  series: SERIES_TYPES.map(({ code }) => code).filter((code) => PULLED_SERIES.has(code)),
  workoutFields: ['distance', 'energy_burned', 'moving_time_seconds'],
  sleepFields: SLEEP_FIELDS,
  menstrualCycleFields: [],
  healthScores: PULLED_SCORES,
};
