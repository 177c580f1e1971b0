import type { ScoreCategory, SeriesCode } from '@healthd/model';

/** Series of readings, by the type of the metric. */
export const READINGS = {
  hr: 'heart_rate',
  // RMSSD, by the vendor's own words.
  hrv: 'heart_rate_variability_rmssd',
  temp: 'skin_temperature',
  spo2: 'oxygen_saturation',
  steps: 'steps',
  glucose: 'blood_glucose',
} as const satisfies Record<string, SeriesCode>;

/** Values of a day, by the type of the metric and the member that holds them. */
export const DAY_VALUES = [
  ['steps', 'total', 'steps'],
  ['active_minutes', 'value', 'active_time'],
  ['vo2_max', 'value', 'vo2_max'],
] as const satisfies readonly (readonly [type: string, member: string, series: SeriesCode])[];

/** Scores from 0 to 100, by the type of the metric. */
export const SCORES = {
  recovery_index: 'recovery',
  movement_index: 'activity',
  sleep_score: 'sleep',
} as const satisfies Record<string, ScoreCategory>;

/** Series that days lead to. */
export const PULLED_SERIES: ReadonlySet<SeriesCode> = new Set<SeriesCode>([
  ...Object.values(READINGS),
  ...DAY_VALUES.map(([, , series]) => series),
  'resting_heart_rate',
  'skin_temperature_deviation',
]);

/** Categories of scores that days lead to, in the order of the contract. */
export const PULLED_SCORES: readonly ScoreCategory[] = ['sleep', 'recovery', 'activity'];
