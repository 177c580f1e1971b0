import { SERIES_TYPES, type SeriesCode, seriesTypeByCode, seriesTypeById } from '@healthd/model';

/**
 * Series whose samples stay: a day has few of them, and the body summary and recovery answer from single readings
 * (which one was last, which belongs to which night). All others have their ordinary samples archived.
 */
const KEPT_CODES: readonly SeriesCode[] = [
  'weight',
  'height',
  'body_fat_percentage',
  'lean_body_mass',
  'skeletal_muscle_mass',
  'body_mass_index',
  'body_temperature',
  'skin_temperature',
  'blood_pressure_systolic',
  'blood_pressure_diastolic',
  'resting_heart_rate',
  'heart_rate_variability_sdnn',
  'heart_rate_variability_rmssd',
  'oxygen_saturation',
];

const KEPT = new Set(KEPT_CODES.map((code) => seriesTypeByCode(code).id));

/**
 * Whether ordinary samples of the series are archived. Totals of days and values of nights and workouts never are, nor
 * single events: a late second one would pass for an archived one and be lost.
 */
export function isArchivedSeries(typeId: number): boolean {
  return !KEPT.has(typeId) && seriesTypeById(typeId)?.isSingleEvents !== true;
}

/** Numbers of all series whose ordinary samples are archived. */
export const ARCHIVED_TYPE_IDS = SERIES_TYPES.map(({ id }) => id).filter(isArchivedSeries);
