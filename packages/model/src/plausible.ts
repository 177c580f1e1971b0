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
export const COUNTED = between(0, 1e9, 'an amount is not negative');
/** Bounds of a size, share or score, which cannot be negative. */
export const MAGNITUDE = between(0, 1e9, 'a size, a share or a score is not negative');
/** Bounds for values without a known limit: differences and heights above sea level. */
export const ANY = between(-1e9, 1e9, 'no measurement is larger');

export const HEART_RATE = between(15, 350, 'from the slowest known hearts to more than an infant or a flutter reaches');
export const RESTING_HEART_RATE = between(15, 250, 'a heart at rest, ill or very young ones included');
export const VARIABILITY = between(0, 1000, 'beats of a living heart are not further apart from each other, in ms');
export const SATURATION = between(30, 100, 'a share of all haemoglobin; no one lives with less');
export const BREATHING = between(1, 120, 'from held breath to the panting of an infant, per minute');
export const BLOOD_PRESSURE = between(20, 350, 'from shock to a strained lift, in mmHg');
export const GLUCOSE = between(5, 2000, 'from the deepest to the highest known values, in mg/dL');
export const ALCOHOL = between(0, 1000, 'twice what kills, in mg/dL');
export const WEIGHT = between(0.2, 700, 'from an early newborn to more than the heaviest known person, in kg');
export const HEIGHT = between(20, 280, 'from an early newborn to more than the tallest known person, in cm');
export const BODY_MASS_INDEX = between(3, 250, 'what possible weights and heights give');
export const BODY_FAT = between(1, 85, 'a share of the body; no one lives with less or more');
export const CORE_TEMPERATURE = between(20, 46, 'from survived cooling to fatal fever, in °C');
export const SKIN_TEMPERATURE = between(-20, 60, 'skin, and a sensor that lies beside it, in °C');
export const LATITUDE = between(-90, 90, 'from pole to pole, in degrees');
export const LONGITUDE = between(-180, 180, 'once around the earth, in degrees');
export const AIR_TEMPERATURE = between(-90, 60, 'the weather of the earth, in °C');
export const WATER_TEMPERATURE = between(-5, 60, 'liquid water that people bathe in, in °C');
export const DEVIATION = between(-20, 20, 'how far a body differs from its usual temperature, in °C');
export const OXYGEN_UPTAKE = between(3, 120, 'from the gravely ill to more than the best athletes reach');
export const STEPS = amount(50_000, 300_000, 'more than a person walks in six hours, or in a day');
export const DISTANCE = amount(500_000, 1_500_000, 'more than a person covers by own strength or downhill, in m');
export const ENERGY = amount(10_000, 30_000, 'more than a person burns in six hours, or in a day, in kcal');
export const FLOORS = amount(1000, 10_000, 'more than a person climbs in six hours, or in a day');
export const CLIMB = amount(50_000, 150_000, 'more than a person climbs or is lifted in six hours, or in a day, in m');
export const ALTITUDE = between(-12_000, 50_000, 'from the deepest sea to the highest jump, in m');
export const HYDRATION = between(0, 10_000, 'more than anyone drinks at a time, in ml');
export const POWER = between(0, 3500, 'more than a sprinter gives, in W');
export const SPEED = between(0, 120, 'more than skis or wheels reach, in m/s');
export const CADENCE = between(0, 400, 'more than legs turn in a minute');
export const SOUND = between(0, 200, 'more than air can carry, in dB');

/** Inclusive bounds of a session's length. */
export interface PlausibleLength {
  minMs: number;
  maxMs: number;
  /** Text of a bound, as a rejection shows it. */
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
