import { SERIES_TYPES } from '@healthd/model';
import { ANDROID_SERIES, pushCoverage } from '../device-push/index.js';
import { type ProviderCoverage, SLEEP_FIELDS, WORKOUT_FIELDS } from '../provider.js';
import { PULLED_SERIES, PULLED_WORKOUT_FIELDS } from './pull/index.js';

/** Data pushed by phones. */
export const GOOGLE_PUSH_COVERAGE: ProviderCoverage = pushCoverage(ANDROID_SERIES, ['sleep']);

/** Data from the cloud. */
export const GOOGLE_CLOUD_COVERAGE: ProviderCoverage = {
  series: SERIES_TYPES.map(({ code }) => code).filter((code) => PULLED_SERIES.has(code)),
  workoutFields: PULLED_WORKOUT_FIELDS,
  sleepFields: SLEEP_FIELDS,
  menstrualCycleFields: [],
  healthScores: [],
};

/** Data from phones and from the cloud. */
export const GOOGLE_COVERAGE: ProviderCoverage = {
  series: SERIES_TYPES.map(({ code }) => code).filter(
    (code) => GOOGLE_PUSH_COVERAGE.series.includes(code) || GOOGLE_CLOUD_COVERAGE.series.includes(code),
  ),
  workoutFields: WORKOUT_FIELDS.filter(
    (field) =>
      GOOGLE_PUSH_COVERAGE.workoutFields.includes(field) || GOOGLE_CLOUD_COVERAGE.workoutFields.includes(field),
  ),
  sleepFields: SLEEP_FIELDS,
  menstrualCycleFields: [],
  healthScores: GOOGLE_PUSH_COVERAGE.healthScores,
};
