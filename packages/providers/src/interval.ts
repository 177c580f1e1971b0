import { MS_PER_DAY, type RejectionCode } from '@healthd/model';

/** Longest interval that storage supports: milliseconds in 32 bits, slightly less than 25 days. */
const MAX_INTERVAL_MS = 24 * MS_PER_DAY;
const EARLIEST_MS = Date.UTC(1900, 0, 1);
const LATEST_MS = Date.UTC(2100, 0, 1);

/** Returns why an interval cannot be stored; undefined if it can. NaN represents an invalid date. */
export function intervalProblem(startMs: number, endMs: number): { code: RejectionCode; field: string } | undefined {
  if (Number.isNaN(startMs)) return { code: 'invalid_date', field: 'startDate' };
  if (Number.isNaN(endMs)) return { code: 'invalid_date', field: 'endDate' };
  if (startMs < EARLIEST_MS || startMs > LATEST_MS) return { code: 'implausible', field: 'startDate' };
  if (endMs < startMs) return { code: 'end_before_start', field: 'endDate' };
  if (endMs - startMs > MAX_INTERVAL_MS) return { code: 'interval_too_long', field: 'endDate' };
  return undefined;
}
