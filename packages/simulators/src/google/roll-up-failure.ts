import type { ResponseError } from '../response.js';
import { apiFailure } from './api-failure.js';

/** Returns the error for a range, or windows times page size, above the type's limit. */
export function durationFailure(days: number): ResponseError {
  return apiFailure(400, {
    message: `The duration of a roll-up query must not exceed ${days} days.`,
    reason: 'INVALID_ROLLUP_QUERY_DURATION',
    metadata: { maxDurationDays: String(days) },
  });
}

/** Returns the error for an end that is not after its start. */
export function rangeFailure(): ResponseError {
  return apiFailure(400, {
    message: 'The end of the range must be after its start.',
    reason: 'INVALID_TIME_RANGE',
    violation: { field: 'range', description: 'The range is empty.' },
  });
}
