import { round, seriesTypeByCode } from '@healthd/model';
import { sumValue } from '../presentation.js';
import type { DayValueRow } from './day-value-row.js';

/** Ids of the series that are shown as whole numbers. */
export const STEPS = seriesTypeByCode('steps').id;

export const FLIGHTS = seriesTypeByCode('flights_climbed').id;

/** The amount of one metric as the summary shows it: steps and floors are whole. */
export function shownSum(typeId: number, value: DayValueRow | undefined): number | null {
  const sum = daySum(value);
  return sum !== null && (typeId === STEPS || typeId === FLIGHTS) ? round(sum) : sum;
}

/** A provider's own total of the day wins over the sum of samples; null when there is neither. */
export function daySum(value: DayValueRow | undefined): number | null {
  if (!value) return null;
  const sum = value.total_count > 0 ? value.total_sum : value.sample_sum;
  return sum === null ? null : sumValue(sum);
}
