import { Failure, type FailureCode } from '../platform/failures.js';
import type { Caller } from './binding.js';

const REFUSALS: ReadonlySet<FailureCode> = new Set(['unauthenticated', 'forbidden']);

/** False when the authentication was refused, not when it could not be done. */
export function holds(authenticating: Promise<Caller>): Promise<boolean> {
  return authenticating.then(
    () => true,
    (error: unknown) => !(error instanceof Failure && REFUSALS.has(error.code)),
  );
}
