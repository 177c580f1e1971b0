import { SERIES_TYPES } from '@healthd/model';
import { type ProviderCoverage, SLEEP_FIELDS } from '../provider.js';
import { PULLED_SCORES, PULLED_SERIES } from './pull/index.js';

/** What the cloud gives. It has no workouts. */
export const ULTRAHUMAN_COVERAGE: ProviderCoverage = {
  series: SERIES_TYPES.map(({ code }) => code).filter((code) => PULLED_SERIES.has(code)),
  workoutFields: [],
  sleepFields: SLEEP_FIELDS,
  menstrualCycleFields: [],
  healthScores: PULLED_SCORES,
};
