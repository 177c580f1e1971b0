import { SERIES_TYPES, type SeriesCode } from '@healthd/model';
import { type ProviderCoverage, SLEEP_FIELDS, WORKOUT_FIELDS } from '../provider.js';
import { CYCLE_FIELDS } from './summaries/cycle.js';

const SERIES: ReadonlySet<SeriesCode> = new Set<SeriesCode>([
  'heart_rate',
  'resting_heart_rate',
  'heart_rate_variability_sdnn',
  'heart_rate_variability_rmssd',
  'oxygen_saturation',
  'blood_pressure_systolic',
  'blood_pressure_diastolic',
  'respiratory_rate',
  'weight',
  'body_fat_percentage',
  'body_mass_index',
  'skin_temperature_deviation',
  'skeletal_muscle_mass',
  'vo2_max',
  'steps',
  'energy',
  'basal_energy',
  'flights_climbed',
  'active_time',
  'distance_walking_running',
  'cadence',
  'power',
  'speed',
  'elevation',
  'latitude',
  'longitude',
  'air_temperature',
  'garmin_stress_level',
  'garmin_fitness_age',
  'garmin_body_battery',
  'push_count',
]);

/** What deliveries become; a test reads one item of everything and compares. */
export const GARMIN_COVERAGE: ProviderCoverage = {
  series: SERIES_TYPES.map(({ code }) => code).filter((code) => SERIES.has(code)),
  workoutFields: WORKOUT_FIELDS,
  sleepFields: SLEEP_FIELDS,
  menstrualCycleFields: CYCLE_FIELDS,
  healthScores: ['sleep', 'stress', 'body_battery'],
};
