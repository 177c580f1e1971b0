import { type SeriesCode, seriesTypeByCode } from '@healthd/model';
import type { RecordPlan } from './adapter.js';
import { pushConverter } from './push-units.js';

/**
 * The Android clients' record types, equal for Samsung Health and Health Connect: series, and the default unit of
 * values without a unit.
 */
const ANDROID_RECORDS: Readonly<Record<string, readonly [series: SeriesCode, sent: string]>> = {
  HEART_RATE: ['heart_rate', 'bpm'],
  RESTING_HEART_RATE: ['resting_heart_rate', 'bpm'],
  HEART_RATE_VARIABILITY: ['heart_rate_variability_rmssd', 'ms'],
  OXYGEN_SATURATION: ['oxygen_saturation', '%'],
  BLOOD_GLUCOSE: ['blood_glucose', 'mg/dL'],
  BLOOD_PRESSURE_SYSTOLIC: ['blood_pressure_systolic', 'mmHg'],
  BLOOD_PRESSURE_DIASTOLIC: ['blood_pressure_diastolic', 'mmHg'],
  RESPIRATORY_RATE: ['respiratory_rate', 'count/min'],
  BODY_TEMPERATURE: ['body_temperature', 'degC'],
  HEIGHT: ['height', 'm'],
  WEIGHT: ['weight', 'kg'],
  LEAN_BODY_MASS: ['lean_body_mass', 'kg'],
  BODY_FAT_MASS: ['body_fat_mass', 'kg'],
  SKELETAL_MUSCLE_MASS: ['skeletal_muscle_mass', 'kg'],
  BODY_FAT: ['body_fat_percentage', '%'],
  BMI: ['body_mass_index', 'kg_m2'],
  VO2_MAX: ['vo2_max', 'ml_kg_min'],
  STEP_COUNT: ['steps', 'count'],
  ACTIVE_CALORIES_BURNED: ['energy', 'kcal'],
  FLOORS_CLIMBED: ['flights_climbed', 'count'],
  DISTANCE: ['distance_walking_running', 'm'],
  POWER: ['power', 'W'],
  SPEED: ['speed', 'm/s'],
  CYCLING_PEDALING_CADENCE: ['cadence', 'rpm'],
  HYDRATION: ['hydration', 'mL'],
};

const BASAL_RATE = 'BASAL_METABOLIC_RATE';
const BASAL_RATE_UNITS: ReadonlySet<string> = new Set(['kcal/day', 'kcal/d', 'kcal', 'Cal']);
const TOTAL_ENERGY = 'TOTAL_CALORIES_BURNED';
const TOTAL_ENERGY_UNITS: ReadonlySet<string> = new Set(['kcal', 'Cal']);

/** Series from these clients' records, including derived energy. */
export const ANDROID_SERIES: readonly SeriesCode[] = [
  ...Object.values(ANDROID_RECORDS).map(([code]) => code),
  'basal_energy',
];

/** Names of all known record types. */
export const ANDROID_RECORD_TYPES: readonly string[] = [...Object.keys(ANDROID_RECORDS), BASAL_RATE, TOTAL_ENERGY];

/** Returns how to store an Android client's record; undefined for an unknown type. */
export function androidRecord(type: string, unit: string | undefined): RecordPlan | undefined {
  if (type === BASAL_RATE) return energyPlan('basal_rate', unit, BASAL_RATE_UNITS);
  if (type === TOTAL_ENERGY) return energyPlan('total_energy', unit, TOTAL_ENERGY_UNITS);
  const known = Object.hasOwn(ANDROID_RECORDS, type) ? ANDROID_RECORDS[type] : undefined;
  if (known === undefined) return undefined;
  const series = seriesTypeByCode(known[0]);
  // Both stores send 0..100. Living bodies never have oxygen or fat values of 1 % or less, so a value up to 1 is a
  // fraction.
  const convert = pushConverter(series, unit ?? known[1], 'either');
  return convert ? { kind: 'sample', typeId: series.id, convert } : { kind: 'unknown_unit' };
}

function energyPlan(
  kind: 'basal_rate' | 'total_energy',
  unit: string | undefined,
  units: ReadonlySet<string>,
): RecordPlan {
  return unit === undefined || units.has(unit) ? { kind } : { kind: 'unknown_unit' };
}
