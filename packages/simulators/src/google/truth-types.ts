import type { JsonObject } from './point-types.js';

/** A point that a client must hold in the end, in the vendor's units. */
export interface TruePoint {
  /** Full resource name, for types whose points have one. */
  name?: string;
  /** Instant of a sample, start of an interval; local midnight of a daily value. */
  startMs: number;
  /** Equal to the start for samples; the next local midnight for daily values. */
  endMs: number;
  /** Undefined when the vendor does not know it. */
  utcOffsetSeconds?: number;
  /** Local date of the start; the date itself for daily values. */
  date: string;
  /** The type's one value; 0 when worn without activity; undefined for types that have several members. */
  value?: number;
  /** All members of the payload except those of time. */
  members: JsonObject;
  /** Key of the source, or its name; not in reconcile. */
  source?: string;
}

/** A roll-up of one UTC hour or one local date. Sums for counts, distance, energy, volume; the others as far as served. */
export interface TrueWindow {
  startMs: number;
  endMs: number;
  /** Of daily windows. */
  date?: string;
  sum?: number;
  min?: number;
  avg?: number;
  max?: number;
}

export interface TrueSleep {
  name: string;
  /** Local date of the awakening. */
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
  /** Minutes by the vendor's stage type, e.g. DEEP. */
  stageMinutes: Record<string, number>;
  stages: { type: string; startMs: number; endMs: number }[];
}

export interface TrueExercise {
  name: string;
  /** The vendor's type, e.g. RUNNING. */
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
