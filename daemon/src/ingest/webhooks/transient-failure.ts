import { VendorError } from '@healthd/providers';
import { DecideLimitError } from '../../store/write/index.js';

/** Postgres states: transaction rolled back (deadlock), lock not available, statement timeout. */
const TRANSIENT_STATES = /^(40|55|57014$)/;
/** Postgres states: a value does not fit its type or violates a constraint. */
const DATA_STATES = /^(22|23)/;

/** True if a later retry may succeed. */
export function isTransient(error: unknown): boolean {
  if (error instanceof VendorError) return error.isTransient;
  const code = codeOf(error);
  return code !== undefined && TRANSIENT_STATES.test(code);
}

/**
 * True if the data causes the failure, so that a retry never helps. Other failures may be bugs of the service or its
 * database, which an operator can fix.
 */
export function isCausedByData(error: unknown): boolean {
  if (error instanceof DecideLimitError) return true;
  const code = error instanceof VendorError ? undefined : codeOf(error);
  return code !== undefined && DATA_STATES.test(code);
}

/** Returns a short text of a failure without quoting data. */
export function failureText(error: unknown): string {
  if (error instanceof VendorError) return error.message;
  return codeOf(error) ?? 'internal_error';
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
