import { MS_PER_HOUR } from '@healthd/model';
import type { PointInput } from '../point-types.js';

/** A point with the instant from which the vendor's cloud has it. */
export interface KnownPoint {
  knownMs: number;
  point: PointInput;
}

const QUARTER_MS = 900_000;

/** A tracker reaches the cloud at the next quarter of an hour. */
export function atQuarter(ms: number): number {
  return Math.ceil(ms / QUARTER_MS) * QUARTER_MS;
}

/** A phone reaches the cloud at the next full hour. */
export function atHour(ms: number): number {
  return Math.ceil(ms / MS_PER_HOUR) * MS_PER_HOUR;
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** Rounded to so many decimals, as a device reports it. */
export function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
