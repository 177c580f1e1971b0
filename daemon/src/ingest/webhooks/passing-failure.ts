import { VendorError } from '@healthd/providers';
import { DecideLimitError } from '../../store/write/index.js';

/** Of Postgres: a transaction was rolled back (deadlock), a lock was not given, a statement took too long. */
const PASSING_STATES = /^(40|55|57014$)/;
/** Of Postgres: a value that does not fit its type, or breaks a rule of its table. */
const DATA_STATES = /^(22|23)/;

/** Whether what failed may succeed when it is tried again later. */
export function passes(error: unknown): boolean {
  if (error instanceof VendorError) return error.passes;
  const code = codeOf(error);
  return code !== undefined && PASSING_STATES.test(code);
}

/**
 * Whether what failed lies in the data, so that trying again never helps. Any other failure may be a fault of the service,
 * or of its database, which an operator mends.
 */
export function isFaultOfData(error: unknown): boolean {
  if (error instanceof DecideLimitError) return true;
  const code = error instanceof VendorError ? undefined : codeOf(error);
  return code !== undefined && DATA_STATES.test(code);
}

/** A failure in a few words that quote no data. */
export function failureText(error: unknown): string {
  if (error instanceof VendorError) return error.message;
  return codeOf(error) ?? 'internal_error';
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
