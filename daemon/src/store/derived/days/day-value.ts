import { MinuteBitmap, SAMPLE_KIND_CODE } from '@healthd/model';
import type { ArchivedDay } from '../../facts/archived/archived-day.js';
import type { SampleExtremes } from '../../facts/samples/sample-extremes.js';
import type { DaySamples } from './day-samples.js';

/** One row of `day_value`; undefined members have no stored data of that type. */
export interface DayValue {
  typeId: number;
  sourceId: number;
  day: number;
  sampleSum?: number;
  /** Extremes of readings, including the readings behind a mean or a vendor's daily figure if the vendor sends them. */
  sampleMin?: number;
  sampleMax?: number;
  lastValue?: number;
  lastMs?: number;
  totalSum?: number;
  aggregateSum?: number;
  sampleCount: number;
  totalCount: number;
  aggregateCount: number;
  /** Number of minutes of the local day that samples touch; an interval counts up to midnight. */
  coveredMinutes: number;
}

/**
 * Computes a day's roll-up from all of its samples in order of start, so that equal samples give equal sums.
 * @param archived stored totals of removed samples, to which the remaining samples are added
 * @param extremes extremes of the readings behind means
 */
export function dayValueOf(samples: DaySamples, archived?: ArchivedDay, extremes?: SampleExtremes): DayValue {
  const { rows, positions, localMs, typeId, sourceId, day } = samples;
  const result: DayValue = {
    typeId,
    sourceId,
    day,
    sampleCount: archived?.sampleCount ?? 0,
    totalCount: 0,
    aggregateCount: 0,
    coveredMinutes: 0,
  };
  let sum = archived?.sampleSum ?? 0;
  let min = archived?.sampleMin ?? Number.POSITIVE_INFINITY;
  let max = archived?.sampleMax ?? Number.NEGATIVE_INFINITY;
  let last = -1;
  let total = 0;
  let aggregate = 0;
  covered.setText(archived?.minutes);
  for (let index = 0; index < positions.length; index++) {
    const row = positions[index] as number;
    const value = rows.value[row] as number;
    const kind = rows.kind[row];
    const own = extremes?.of(rows, row);
    if (own) {
      min = Math.min(min, own.minimum);
      max = Math.max(max, own.maximum);
    }
    if (kind === SAMPLE_KIND_CODE.daily_total) {
      total += value;
      result.totalCount++;
    } else if (kind === SAMPLE_KIND_CODE.aggregate) {
      aggregate += value;
      result.aggregateCount++;
    } else {
      sum += value;
      if (own === undefined && value < min) min = value;
      if (own === undefined && value > max) max = value;
      result.sampleCount++;
      last = row;
      cover(localMs[row] as number, rows.durationMs[row] as number);
    }
  }
  if (min <= max) {
    result.sampleMin = min;
    result.sampleMax = max;
  }
  if (result.totalCount > 0) result.totalSum = total;
  if (result.aggregateCount > 0) result.aggregateSum = aggregate;
  if (result.sampleCount > 0) {
    result.sampleSum = sum;
    const isLast = last >= 0 && (rows.startMs[last] as number) >= (archived?.lastMs ?? Number.NEGATIVE_INFINITY);
    result.lastValue = isLast ? rows.value[last] : archived?.lastValue;
    result.lastMs = isLast ? rows.startMs[last] : archived?.lastMs;
    result.coveredMinutes = covered.count();
  }
  return result;
}

/** Returns the minutes of the day that its samples touch, including removed samples; 1440 characters. */
export function coveredMinutesOf({ rows, positions, localMs }: DaySamples, archived?: ArchivedDay): string {
  covered.setText(archived?.minutes);
  for (const row of positions) {
    if (rows.kind[row] !== SAMPLE_KIND_CODE.sample) continue;
    cover(localMs[row] as number, rows.durationMs[row] as number);
  }
  return covered.toText();
}

// One bitmap for all days, because a batch has thousands of days.
const covered = new MinuteBitmap();

/** @param durationMs NaN or 0 for a reading without an interval */
function cover(startMs: number, durationMs: number): void {
  covered.addInterval(startMs, durationMs > 0 ? startMs + durationMs : startMs);
}
