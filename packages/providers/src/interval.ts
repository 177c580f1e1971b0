import { MS_PER_DAY, type RejectionCode } from '@healthd/model';

/** The longest interval that storage holds: milliseconds in 32 bits, a little less than 25 days. */
const MAX_INTERVAL_MS = 24 * MS_PER_DAY;
const EARLIEST_MS = Date.UTC(1900, 0, 1);
const LATEST_MS = Date.UTC(2100, 0, 1);

/** Why an interval cannot be stored, or undefined when it can. NaN stands for text that is no date. */
export function intervalProblem(startMs: number, endMs: number): { code: RejectionCode; field: string } | undefined {
  if (Number.isNaN(startMs)) return { code: 'invalid_date', field: 'startDate' };
  if (Number.isNaN(endMs)) return { code: 'invalid_date', field: 'endDate' };
  if (startMs < EARLIEST_MS || startMs > LATEST_MS) return { code: 'implausible', field: 'startDate' };
  if (endMs < startMs) return { code: 'end_before_start', field: 'endDate' };
  if (endMs - startMs > MAX_INTERVAL_MS) return { code: 'interval_too_long', field: 'endDate' };
  return undefined;
}
