import type { bodyParams } from '@healthd/schemas';
import type { z } from 'zod';
import type { BodyParams, Withheld } from '../../query/index.js';

/** Converts request parameters to a query for the current body summary. */
export function bodyQuery(
  { average_period: averageDays, latest_window_hours: latestHours }: z.infer<typeof bodyParams>,
  withheld: Withheld,
): BodyParams {
  return { nowMs: Date.now(), averageDays, latestHours, withheld };
}
