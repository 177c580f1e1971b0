import type { JsonObject } from './point-types.js';

/** A point that a client must have after all syncs, in the vendor's units. */
export interface TruePoint {
  /** Full resource name, for types whose points have names. */
  name?: string;
  /** Instant of a sample, start of an interval, or local midnight of a daily value. */
  startMs: number;
  /** Equal to the start for samples; the next local midnight for daily values. */
  endMs: number;
  /** Undefined if the vendor does not report it. */
  utcOffsetSeconds?: number;
  /** Local date of the start, or the date of a daily value. */
  date: string;
  /** The type's single value; 0 if the device was worn without activity; undefined for types with several members. */
  value?: number;
  /** All payload members except the times. */
  members: JsonObject;
  /** The source's key or name. Reconcile omits it. */
  source?: string;
}

/**
 * A roll-up of one UTC hour or local date: the sum of counts, distance, energy and volume, or the average of other
 * values. Some types also have the minimum and the maximum.
 */
export interface TrueWindow {
  startMs: number;
  endMs: number;
  /** Only for daily windows. */
  date?: string;
  sum?: number;
  min?: number;
  avg?: number;
  max?: number;
}

export interface TrueSleep {
  name: string;
  /** Local date of waking up. */
  date: string;
  startMs: number;
  endMs: number;
  startOffsetSeconds?: number;
  endOffsetSeconds?: number;
  nap: boolean;
  processed: boolean;
  minutesInBed: number;
  minutesAsleep: number;
  minutesAwake: number;
  /** Minutes by the vendor's stage type, such as DEEP. */
  stageMinutes: Record<string, number>;
  stages: { type: string; startMs: number; endMs: number }[];
}

export interface TrueExercise {
  name: string;
  /** The vendor's type, such as RUNNING. */
  type: string;
  startMs: number;
  endMs: number;
  /** Local date of the start. */
  date: string;
  activeSeconds: number;
  energyKcal?: number;
  distanceMillimeters?: number;
  steps?: number;
  averageHeartRate?: number;
  elevationGainMillimeters?: number;
}
