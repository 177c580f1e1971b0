import { unprocessable } from '../../platform/failures.js';

/** Maximum number of workouts or sleep sessions that one request compares. Real users have far fewer. */
export const MAX_COMPARED = 50_000;

/** @throws Failure `unprocessable` on `query.end_date` if the range has too many items to find the copies */
export function requireComparable(count: number, items: 'workouts' | 'sleep sessions'): void {
  if (count <= MAX_COMPARED) return;
  throw unprocessable(
    ['query', 'end_date'],
    `The range has more than ${MAX_COMPARED} ${items} to compare. Choose a shorter range.`,
  );
}
