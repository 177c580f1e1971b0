import type { ActivitySummary, BodySummary, RecoverySummary, SleepSummary } from '@healthd/schemas';

// Paths of the figures in a summary's row, by group. The first figure of a group is its lead figure.

type Figures<Row extends { sources: object }> = Readonly<Record<keyof Row['sources'], readonly [string, ...string[]]>>;

export const ACTIVITY_FIGURES: Figures<ActivitySummary> = {
  movement: ['steps', 'distance_meters', 'floors_climbed', 'active_minutes', 'sedentary_minutes'],
  energy: ['active_calories_kcal', 'total_calories_kcal'],
  heart_rate: [
    'heart_rate.avg_bpm',
    'heart_rate.max_bpm',
    'heart_rate.min_bpm',
    'intensity_minutes.light',
    'intensity_minutes.moderate',
    'intensity_minutes.vigorous',
  ],
  elevation: ['elevation_meters'],
};

const HRV = ['avg_hrv_rmssd_ms', 'avg_hrv_sdnn_ms'] as const;

export const SLEEP_FIGURES: Figures<SleepSummary> = {
  sleep: [
    'duration_minutes',
    'time_in_bed_minutes',
    'efficiency_percent',
    'stages.deep_minutes',
    'stages.rem_minutes',
    'stages.light_minutes',
    'stages.awake_minutes',
    'interruptions_count',
  ],
  naps: ['nap_duration_minutes', 'nap_count'],
  heart_rate: ['avg_heart_rate_bpm'],
  hrv: HRV,
  oxygen_saturation: ['avg_spo2_percent'],
  respiratory_rate: ['avg_respiratory_rate'],
};

/** Figures of the sleep, or of the naps on a date without sleep. */
export const SPAN_FIGURES = ['start_time', 'end_time', 'zone_offset', 'local_offset', 'total_duration_minutes'];

export const RECOVERY_FIGURES: Figures<RecoverySummary> = {
  sleep: ['sleep_duration_seconds', 'sleep_efficiency_percent'],
  hrv: HRV,
  oxygen_saturation: ['avg_spo2_percent'],
  resting_heart_rate: ['resting_heart_rate_bpm'],
  score: ['recovery_score'],
};

export const BODY_FIGURES: Figures<BodySummary> = {
  weight: ['slow_changing.weight_kg'],
  height: ['slow_changing.height_cm'],
  body_fat: ['slow_changing.body_fat_percent'],
  muscle_mass: ['slow_changing.muscle_mass_kg'],
  skeletal_muscle_mass: ['slow_changing.skeletal_muscle_mass_kg'],
  bmi: ['slow_changing.bmi'],
  resting_heart_rate: ['averaged.resting_heart_rate_bpm'],
  hrv_sdnn: ['averaged.avg_hrv_sdnn_ms'],
  hrv_rmssd: ['averaged.avg_hrv_rmssd_ms'],
  body_temperature: ['latest.body_temperature_celsius'],
  skin_temperature: ['latest.skin_temperature_celsius'],
  blood_pressure: [
    'latest.blood_pressure.avg_systolic_mmhg',
    'latest.blood_pressure.avg_diastolic_mmhg',
    'latest.blood_pressure.max_systolic_mmhg',
    'latest.blood_pressure.max_diastolic_mmhg',
    'latest.blood_pressure.min_systolic_mmhg',
    'latest.blood_pressure.min_diastolic_mmhg',
    'latest.blood_pressure.reading_count',
  ],
};
