import type { WorkoutFile } from '../fit/index.js';

/** A workout as the vendor lists it. */
export interface SuuntoWorkout {
  /** 24 hexadecimal characters; the only id. */
  workoutKey: string;
  activityId: number;
  /** Milliseconds since 1970. */
  startTime: number;
  /** Seconds without pauses. */
  totalTime: number;
  [member: string]: unknown;
}

/** A record of sleep, activity or recovery. */
export interface SuuntoSample {
  /** RFC 3339 with the offset of the watch. */
  timestamp: string;
  entryData: Record<string, unknown>;
}

/** Totals of one local day, by the device that counted them. */
export interface SuuntoDay {
  /** `YYYY-MM-DD` */
  date: string;
  offsetMinutes: number;
  device: string;
  /** Null if the device has no total. */
  steps: number | null;
  joules: number | null;
}

/** Data of an account at the vendor. */
export interface SuuntoInput {
  workouts?: SuuntoWorkout[];
  sleep?: SuuntoSample[];
  activity?: SuuntoSample[];
  recovery?: SuuntoSample[];
  days?: SuuntoDay[];
  /** FIT files by workout key; null removes a file. */
  files?: Readonly<Record<string, WorkoutFile | null>>;
}

/** Data types that are separate products in the vendor's portal. */
export type SuuntoProduct = 'workouts' | 'sleep' | 'activity' | 'recovery' | 'daily';
