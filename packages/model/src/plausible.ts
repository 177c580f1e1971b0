import { MS_PER_HOUR, MS_PER_MINUTE } from './time/units.js';
/** Inclusive bounds of a value. The bounds are wide and reject only impossible measurements. */
export interface PlausibleRange {
  min: number;
  max: number;
  /** Highest value of a daily total or a sample of six hours or more; defaults to `max`. */
  longMax?: number;
  /** Source of the bounds. */
  reason: string;
}

const between = (min: number, max: number, reason: string): PlausibleRange => ({ min, max, reason });
const amount = (max: number, longMax: number, reason: string): PlausibleRange => ({ min: 0, max, longMax, reason });

/** Bounds of a count, which cannot be negative. */
export const COUNTED = between(0, 1e9, 'a count cannot be negative');
/** Bounds of a size, share or score, which cannot be negative. */
export const MAGNITUDE = between(0, 1e9, 'a size, a share or a score cannot be negative');
/** Bounds for values without a known limit: differences and heights above sea level. */
export const ANY = between(-1e9, 1e9, 'no measurement has a larger value');

export const HEART_RATE = between(15, 350, 'from the slowest known heart rate to a fast infant heart or a flutter');
export const RESTING_HEART_RATE = between(15, 250, 'heart rate at rest, including illness and infants');
export const VARIABILITY = between(0, 1000, 'longest interval between two heartbeats, in ms');
export const SATURATION = between(30, 100, 'percentage of hemoglobin; lower values are fatal');
export const BREATHING = between(1, 120, 'breaths per minute, from held breath to a panting infant');
export const BLOOD_PRESSURE = between(20, 350, 'from shock to heavy lifting, in mmHg');
export const GLUCOSE = between(5, 2000, 'from the deepest to the highest known values, in mg/dL');
export const ALCOHOL = between(0, 1000, 'twice the lethal amount, in mg/dL');
export const WEIGHT = between(0.2, 700, 'from a premature newborn to above the heaviest known person, in kg');
export const HEIGHT = between(20, 280, 'from a premature newborn to above the tallest known person, in cm');
export const BODY_MASS_INDEX = between(3, 250, 'range that results from possible weights and heights');
export const BODY_FAT = between(1, 85, 'percentage of body weight; other values are fatal');
export const CORE_TEMPERATURE = between(20, 46, 'from survived hypothermia to fatal fever, in °C');
export const SKIN_TEMPERATURE = between(-20, 60, 'skin, or a sensor next to the skin, in °C');
export const LATITUDE = between(-90, 90, 'from pole to pole, in degrees');
export const LONGITUDE = between(-180, 180, 'all meridians, in degrees');
export const AIR_TEMPERATURE = between(-90, 60, 'weather on earth, in °C');
export const WATER_TEMPERATURE = between(-5, 60, 'water for bathing, in °C');
export const DEVIATION = between(-20, 20, 'deviation from the usual body temperature, in °C');
export const OXYGEN_UPTAKE = between(3, 120, 'from severe illness to above the best athletes');
export const STEPS = amount(50_000, 300_000, 'above the number of steps that a person can take in six hours or a day');
export const DISTANCE = amount(500_000, 1_500_000, 'above the distance that a person can travel without a motor, in m');
export const ENERGY = amount(10_000, 30_000, 'above the energy that a person can burn in six hours or a day, in kcal');
export const FLOORS = amount(1000, 10_000, 'above the number of floors that a person can climb in six hours or a day');
export const CLIMB = amount(
  50_000,
  150_000,
  'above the height that a person can climb or be lifted in six hours or a day, in m',
);
export const ALTITUDE = between(-12_000, 50_000, 'from the deepest sea to the highest jump, in m');
export const HYDRATION = between(0, 10_000, 'above the amount that anyone can drink at once, in ml');
export const POWER = between(0, 3500, 'above the power of a sprinter, in W');
export const SPEED = between(0, 120, 'above the speed of skis or wheels, in m/s');
export const CADENCE = between(0, 400, 'above the number of leg movements in a minute');
export const SOUND = between(0, 200, 'above the loudest sound in air, in dB');

/** Inclusive bounds of a session's length. */
export interface PlausibleLength {
  minMs: number;
  maxMs: number;
  /** The bounds as text for a rejection. */
  text: string;
  /** Source of the bounds. */
  reason: string;
}

export const SLEEP_LENGTH: PlausibleLength = {
  minMs: MS_PER_MINUTE,
  maxMs: 36 * MS_PER_HOUR,
  text: 'sleep session 1 min..36 h',
  reason: 'from a doze to a day and a half of a person who is ill; more is a device left on',
};
export const WORKOUT_LENGTH: PlausibleLength = {
  minMs: 1000,
  maxMs: 14 * 24 * MS_PER_HOUR,
  text: 'workout 1 s..14 days',
  reason: 'from a watch that was started by mistake to the longest races',
};
