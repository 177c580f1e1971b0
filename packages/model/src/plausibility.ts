import type { PlausibleLength } from './plausible.js';
import { SAMPLE_KIND_CODE } from './record.js';
import { SERIES_TYPES, seriesTypeById } from './series.js';
import { MS_PER_HOUR } from './time/units.js';

const LONG_MS = 6 * MS_PER_HOUR;
const SIZE = 1 + Math.max(...SERIES_TYPES.map(({ id }) => id));
// Indexed by series id, because files contain millions of samples.
const lowest = new Float64Array(SIZE).fill(Number.NEGATIVE_INFINITY);
const highest = new Float64Array(SIZE).fill(Number.POSITIVE_INFINITY);
const highestLong = new Float64Array(SIZE).fill(Number.POSITIVE_INFINITY);
for (const { id, plausible } of SERIES_TYPES) {
  lowest[id] = plausible.min;
  highest[id] = plausible.max;
  highestLong[id] = plausible.longMax ?? plausible.max;
}

/**
 * Returns the bound that a value of a series violates, such as `heart_rate 15..350 bpm`; undefined for a plausible
 * value. Samples of six hours or more, daily totals, and values of whole nights or workouts have a separate upper
 * bound.
 * @param durationMs NaN or undefined for a reading at an instant
 */
export function brokenBound(
  typeId: number,
  value: number,
  durationMs?: number,
  kindCode: number = SAMPLE_KIND_CODE.sample,
): string | undefined {
  const isLong = kindCode !== SAMPLE_KIND_CODE.sample || (durationMs !== undefined && durationMs >= LONG_MS);
  const max = (isLong ? highestLong : highest)[typeId] as number;
  if (value >= (lowest[typeId] as number) && value <= max) return undefined;
  const series = seriesTypeById(typeId);
  return series && `${series.code} ${series.plausible.min}..${max} ${series.unit}`;
}

/** Returns the bound that a session's length violates; undefined for a plausible length. */
export function brokenLength(
  { startMs, endMs }: { startMs: number; endMs: number },
  { minMs, maxMs, text }: PlausibleLength,
): string | undefined {
  const lengthMs = endMs - startMs;
  return lengthMs >= minMs && lengthMs <= maxMs ? undefined : text;
}
