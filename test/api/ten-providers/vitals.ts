import type { DayOfLife } from './days.js';

/** Number of a day, a time in UTC, and a value. */
export type Vital = readonly [day: DayOfLife, clock: string, value: number];
/** One value per day, if known. */
export type Dated = Partial<Record<DayOfLife, number>>;

/** Each provider's nightly or occasional measurements and scores. No two values of a metric are equal. */
export const MEASURED = {
  garmin: {
    resting: { 1: 51 } as Dated,
    /** The night's average, and two of its five-minute values. */
    rmssd: {
      night: 52,
      readings: [
        ['01:00', 49],
        ['01:05', 58],
      ],
    },
    oxygen: [
      ['01:00', 95],
      ['02:00', 96],
    ],
    sleepScores: { 1: 81 } as Dated,
    stress: { 1: 28 } as Dated,
    weight: [1, '06:00', 72.4] as Vital,
  },
  apple: {
    resting: [
      [1, '05:30', 57],
      [2, '05:40', 58],
    ] as Vital[],
    // One value was measured in the afternoon.
    sdnn: [
      [2, '00:30', 66],
      [2, '02:00', 72],
      [2, '14:00', 31],
    ] as Vital[],
  },
  oura: {
    lowest: { 1: 48, 2: 47, 3: 46 } as Dated,
    /** Every five minutes from bedtime. */
    rmssd: { 1: [60, 62], 2: [59, 65], 3: [70, 74] } as Partial<Record<DayOfLife, number[]>>,
    oxygen: { 1: 97.1, 3: 97.4 } as Dated,
    sleepScores: { 1: 84, 2: 76, 3: 69 } as Dated,
    readiness: { 1: 79, 3: 63 } as Dated,
    activityScores: { 1: 88, 3: 71 } as Dated,
  },
  whoop: {
    recovery: {
      1: { score: 66, resting: 50, rmssd: 63.5, oxygen: 96.2 },
      2: { score: 58, resting: 53, rmssd: 55.5, oxygen: 95.8 },
    } as Partial<Record<DayOfLife, { score: number; resting: number; rmssd: number; oxygen: number }>>,
    sleepScores: { 1: 90, 2: 72, 3: 41 } as Dated,
    strain: { 1: 12.5 } as Dated,
    weight: 73.2,
    height: 1.8,
  },
  polar: {
    /** A grade from 1 to 6, and the night's mean RMSSD and heart rate. */
    recharge: { day: 1, status: 4, rmssd: 61, heart: 53 } as const,
    sleepScores: { 1: 78 } as Dated,
  },
  suunto: {
    resting: { 2: 44, 4: 43 } as Dated,
    rmssd: { 2: 64, 4: 57 } as Dated,
    sleepScores: { 2: 73, 4: 82 } as Dated,
    balance: { day: 2, percent: 64 } as const,
  },
  google: { resting: { 1: 55, 3: 56, 4: 54 } as Dated, weight: [3, '14:00', 71.9] as Vital },
  samsung: { sleepScores: { 1: 77, 2: 68, 3: 61, 4: 74 } as Dated },
  ultrahuman: {
    resting: { 1: 52, 4: 49 } as Dated,
    rmssd: [
      [1, '01:00', 44],
      [4, '06:00', 68],
      [4, '07:00', 71],
    ] as Vital[],
    oxygen: [[4, '06:00', 98]] as Vital[],
    recovery: { 1: 59, 4: 73 } as Dated,
    sleepScores: { 1: 70, 4: 80 } as Dated,
    movement: { 1: 65, 2: 54, 3: 43, 4: 32 } as Dated,
  },
} as const;
