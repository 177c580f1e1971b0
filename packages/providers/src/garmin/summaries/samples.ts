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
  /** What distinguishes the samples of one kind of summary from those of another; the same start then is a newer version. */
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
 * The samples of a map from seconds after the item's start to values. What the vendor writes where it has no value is
 * counted as such and is no fault.
 * @param convert the value in the unit of the series; undefined where the number says that there is none
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
  for (const [key, given] of Object.entries(map)) {
    const seconds = numberOf(key);
    const number = numberOf(given);
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

/** A number above nothing: the vendor writes 0 or less where it has none. */
export function positive(value: number): number | undefined {
  return value > 0 ? value : undefined;
}

/** Saturation in percent; a number up to 1 is a fraction, and what lies outside the scale is no value. */
export function saturation(value: number): number | undefined {
  if (!(value > 0) || value > 100) return undefined;
  return value <= 1 ? value * 100 : value;
}

/** Negative numbers are states (off the wrist, too much motion) and never values. */
export function notNegative(value: number): number | undefined {
  return value >= 0 ? value : undefined;
}
