import { SERIES_TYPES, type SeriesCode } from '@healthd/model';
import { type Provider, WORKOUT_FIELDS } from '../provider.js';
import { vendorTerms } from '../terms.js';
import { WORKOUT_FILE } from './file.js';
import { READING_SERIES } from './records.js';

const emitted = new Set<SeriesCode>(READING_SERIES);

/** Workout files that users export from watches and sports applications. */
export const WORKOUT_FILES: Provider = {
  id: 'workout_files',
  displayName: 'Workout files',
  capabilities: { oauth: false, pull: false, push: false, file: true, webhook: false },
  terms: vendorTerms({}),
  coverage: {
    series: SERIES_TYPES.map((type) => type.code).filter((code) => emitted.has(code)),
    workoutFields: [...WORKOUT_FIELDS],
    sleepFields: [],
    menstrualCycleFields: [],
    healthScores: [],
  },
  file: WORKOUT_FILE,
};
