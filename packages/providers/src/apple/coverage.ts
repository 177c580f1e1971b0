import { COMPUTED_SERIES, SERIES_TYPES, type SeriesCode } from '@healthd/model';
import { type ProviderCoverage, SLEEP_FIELDS } from '../provider.js';
import { QUANTITY_SERIES } from './quantity-series.js';
import { WORKOUT_SERIES } from './workout-mapper.js';

const computed = SERIES_TYPES.filter(({ id }) => id === COMPUTED_SERIES.typeId).map(({ code }) => code);
const emitted = new Set<SeriesCode>([...QUANTITY_SERIES.values(), ...WORKOUT_SERIES, ...computed]);

/** Coverage of the export adapter; series in the contract's order. */
export const APPLE_COVERAGE: ProviderCoverage = {
  series: SERIES_TYPES.map((type) => type.code).filter((code) => emitted.has(code)),
  workoutFields: [
    'average_cadence',
    'average_speed',
    'average_watts',
    'distance',
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
  sleepFields: SLEEP_FIELDS,
  menstrualCycleFields: [],
  healthScores: [],
};
