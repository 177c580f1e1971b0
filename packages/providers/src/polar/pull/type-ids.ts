/** Kinds of data by the vendor's names in addresses. */
export const SLEEP = 'sleep';
export const EXERCISES = 'exercises';
export const ACTIVITIES = 'activities';
export const HEART_RATE = 'continuous-heart-rate';
export const RECHARGE = 'nightly-recharge';
export const CARDIO_LOAD = 'cardio-load';
export const ALERTNESS = 'alertness';
export const BEDTIME = 'circadian-bedtime';
export const BODY_TEMPERATURE = 'bodytemperature';
export const SKIN_TEMPERATURE = 'skintemperature';
export const SPO2 = 'spo2';
export const ECG = 'ecg';
export const PHYSICAL_INFO = 'physical-info';
