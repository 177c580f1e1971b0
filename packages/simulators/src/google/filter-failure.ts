import type { ResponseError } from '../response.js';
import { apiFailure } from './api-failure.js';

/**
 * Detailed reasons for a rejected filter. Responses add the prefix INVALID_DATA_POINT_FILTER_, except to
 * INVALID_TIME_RANGE.
 */
export type FilterProblem =
  | 'SYNTAX'
  | 'MISSING_TOKEN'
  | 'EXPRESSION_STRUCTURE'
  | 'RESTRICTION_COMPARATOR'
  | 'TIMESTAMP_FORMAT'
  | 'CIVIL_DATE_TIME_FORMAT'
  | 'DATA_TYPE_RESTRICTION'
  | 'COLLECTION_MISMATCH'
  | 'DATA_TYPE_MEMBER'
  | 'MIXED_TIME_RESTRICTIONS'
  | 'INVALID_TIME_RANGE';

/** Returns a 400 with the detailed reason. A type name in the wrong case has no reason. */
export function filterFailure(problem: FilterProblem | undefined, description: string): ResponseError {
  const reason = 'INVALID_DATA_POINT_FILTER';
  const detailed = problem === undefined || problem === 'INVALID_TIME_RANGE' ? problem : `${reason}_${problem}`;
  return apiFailure(400, {
    message: `Invalid data point filter: ${detailed ?? reason}.`,
    reason,
    metadata: detailed === undefined ? undefined : { detailedReasons: detailed },
    violation: { field: 'filter', description },
  });
}
