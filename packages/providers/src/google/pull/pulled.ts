import type { SeriesCode } from '@healthd/model';
import type { WorkoutField } from '../../provider.js';
import { GOOGLE_DATA_TYPES } from './data-types.js';

/** Series that the data types supply. */
export const PULLED_SERIES: ReadonlySet<SeriesCode> = new Set(
  GOOGLE_DATA_TYPES.flatMap(({ reading }): SeriesCode[] => {
    if (reading.kind === 'basal_energy') return ['basal_energy'];
    return reading.kind === 'series' ? reading.types.flatMap(({ values }) => values.map(({ series }) => series)) : [];
  }),
);

/** Workout fields that an exercise summary supplies. Its energy is the total. */
export const PULLED_WORKOUT_FIELDS: readonly WorkoutField[] = [
  'average_cadence',
  'average_speed',
  'distance',
  'energy_burned',
  'heart_rate_avg',
  'moving_time_seconds',
  'steps_count',
  'total_elevation_gain',
];
