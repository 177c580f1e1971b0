import { MS_PER_SECOND, type SampleKind, type SampleRecord, type SeriesCode, seriesTypeByCode } from '@healthd/model';
import { isObject, numberOf } from '../../payload/index.js';
import type { Place } from './place.js';
import type { SummaryReading } from './reading.js';
import { GARMIN_SOURCE } from './source.js';

interface SampleParts {
  code: SeriesCode;
  value: number;
  startMs: number;
  offsetMinutes: number | undefined;
  /** Distinguishes samples of different summary types. A sample of the same type and start is a newer version. */
  id?: string;
  durationMs?: number;
  kind?: SampleKind;
}

export function sample({
  code,
  value,
  startMs,
  offsetMinutes,
  id,
  durationMs,
  kind = 'sample',
}: SampleParts): SampleRecord {
  return {
    kind: 'sample',
    source: GARMIN_SOURCE,
    externalId: id,
    typeId: seriesTypeByCode(code).id,
    startMs,
    durationMs: durationMs || undefined,
    offsetMinutes,
    value,
    sampleKind: kind,
  };
}

/**
 * Returns samples from a map of values by seconds after the item's start. Markers for missing values count as missing
 * values, not as faults.
 * @param convert returns the value in the series unit; undefined for a missing-value marker
 */
export function mappedSamples(
  map: unknown,
  { startMs, offsetMinutes }: Pick<Place, 'startMs' | 'offsetMinutes'>,
  { tally, index }: SummaryReading,
  {
    code,
    id,
    field,
    convert,
  }: { code: SeriesCode; id: string; field: string; convert?: (value: number) => number | undefined },
): SampleRecord[] {
  if (!isObject(map)) return [];
  const found: SampleRecord[] = [];
  for (const [key, values] of Object.entries(map)) {
    const seconds = numberOf(key);
    const number = numberOf(values);
    if (seconds === undefined || number === undefined) {
      tally.reject(index, field, 'invalid_value');
      continue;
    }
    const value = convert === undefined ? number : convert(number);
    if (value === undefined) tally.noValue++;
    else found.push(sample({ code, id, value, startMs: startMs + seconds * MS_PER_SECOND, offsetMinutes }));
  }
  return found;
}

/** Returns a positive number. The vendor writes 0 or less for a missing value. */
export function positive(value: number): number | undefined {
  return value > 0 ? value : undefined;
}

/** Returns saturation in percent. A number up to 1 is a fraction; a number outside the scale is not a value. */
export function saturation(value: number): number | undefined {
  if (!(value > 0) || value > 100) return undefined;
  return value <= 1 ? value * 100 : value;
}

/** Rejects negative numbers, which are states (off the wrist, too much motion), not values. */
export function notNegative(value: number): number | undefined {
  return value >= 0 ? value : undefined;
}
