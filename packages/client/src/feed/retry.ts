import { ApiError, UnreachableError } from '../errors.js';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** Statuses of requests that may succeed later without a change of the request. */
const TRANSIENT_STATUSES = [408, 425, 429];

/** True if the same request may succeed later: the service is down, restarting or busy, or the connection broke. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || TRANSIENT_STATUSES.includes(error.status);
  // A connection that breaks while the body arrives is a TypeError of fetch.
  return error instanceof UnreachableError || error instanceof TruncatedError || isBrokenConnection(error);
}

/** A response that ended too early, for example because the service was stopped. */
export class TruncatedError extends Error {
  override readonly name = 'TruncatedError';
}

function isBrokenConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error.name === 'TimeoutError' ||
    (error instanceof TypeError && /terminated|network|fetch failed/i.test(error.message))
  );
}

/**
 * Returns the delay before an attempt: the delay that the service requested, plus a random delay. The random delay's
 * limit doubles with each failure. The random delay keeps many receivers from retrying at the same moment.
 * @param failures number of failures in a row, from 1
 */
export function retryDelayMs(error: unknown, failures: number): number {
  const limit = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1));
  const requested = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return requested + limit * (0.5 + Math.random() / 2);
}

/** Waits, or returns early if the signal aborts. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}
