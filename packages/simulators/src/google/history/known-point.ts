import { MS_PER_HOUR } from '@healthd/model';
import type { PointInput } from '../point-types.js';

/** A point with the time at which it reaches the vendor's cloud. */
export interface KnownPoint {
  knownMs: number;
  point: PointInput;
}

const QUARTER_MS = 900_000;

/** Returns the time of the tracker's next upload: the next quarter hour. */
export function atQuarter(ms: number): number {
  return Math.ceil(ms / QUARTER_MS) * QUARTER_MS;
}

/** Returns the time of the phone's next upload: the next full hour. */
export function atHour(ms: number): number {
  return Math.ceil(ms / MS_PER_HOUR) * MS_PER_HOUR;
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** Rounds to a device's number of decimals. */
export function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
