import type { ScoreCategory, SeriesCode } from '@healthd/model';

/** Series of readings, by metric type. */
export const READINGS = {
  hr: 'heart_rate',
  // RMSSD, according to the vendor.
  hrv: 'heart_rate_variability_rmssd',
  temp: 'skin_temperature',
  spo2: 'oxygen_saturation',
  steps: 'steps',
  glucose: 'blood_glucose',
} as const satisfies Record<string, SeriesCode>;

/** Daily values, by metric type and member. */
export const DAY_VALUES = [
  ['steps', 'total', 'steps'],
  ['active_minutes', 'value', 'active_time'],
  ['vo2_max', 'value', 'vo2_max'],
  ['average_glucose', 'value', 'blood_glucose'],
] as const satisfies readonly (readonly [type: string, member: string, series: SeriesCode])[];

/** Scores from 0 to 100, by metric type. */
export const SCORES = {
  recovery_index: 'recovery',
  movement_index: 'activity',
  sleep_score: 'sleep',
} as const satisfies Record<string, ScoreCategory>;

/** Metrics without a place in the data model. They are counted as `unsupported`, so that they are visible. */
export const UNSUPPORTED: ReadonlySet<string> = new Set([
  'glucose_variability',
  'hba1c',
  'metabolic_score',
  'time_in_target',
]);

/** Metrics that are read with other members, or that describe how a day was displayed. */
const READ_ELSEWHERE = [
  'sleep',
  'total_sleep',
  'time_in_bed',
  'sleep_efficiency',
  'deep_sleep',
  'light_sleep',
  'rem_sleep',
  'awake',
  'awake_time',
  'temperature_deviation',
  'average_body_temperature',
  'night_rhr',
  'sleep_rhr',
  'avg_sleep_hrv',
  'score_trend',
];

/** Metrics of movement and habits that are not stored. docs/providers/ultrahuman.md lists them. */
const LEFT_OUT = [
  'full_sleep_cycles',
  'inactive_time',
  'morning_alertness',
  'motion',
  'movements',
  'restorative_sleep',
  'tosses_and_turns',
  'weekly_active_minutes',
];

/** Metrics that this adapter recognizes. */
export const KNOWN: ReadonlySet<string> = new Set([
  ...Object.keys(READINGS),
  ...DAY_VALUES.map(([type]) => type),
  ...Object.keys(SCORES),
  ...UNSUPPORTED,
  ...READ_ELSEWHERE,
  ...LEFT_OUT,
]);

/** Series of days. */
export const PULLED_SERIES: readonly SeriesCode[] = [
  ...Object.values(READINGS),
  ...DAY_VALUES.map(([, , series]) => series),
  'resting_heart_rate',
  'skin_temperature_deviation',
];
