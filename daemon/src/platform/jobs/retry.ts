/** Exponential backoff: the delay after attempt n is first × factor^(n−1), at most `maxDelaySeconds`. */
export interface RetryPolicy {
  /** Total number of attempts; 1 never retries. */
  readonly maxAttempts: number;
  readonly firstDelaySeconds: number;
  readonly factor: number;
  readonly maxDelaySeconds: number;
}

/**
 * Delays of 10 s, 40 s, 160 s, 600 s and 600 s, at most 24 minutes in total. For work that waits for the service
 * itself.
 */
export const RETRY_SOON: RetryPolicy = { maxAttempts: 6, firstDelaySeconds: 10, factor: 4, maxDelaySeconds: 600 };

/** A single attempt, for work that another mechanism finds again. */
export const RETRY_NEVER: RetryPolicy = { maxAttempts: 1, firstDelaySeconds: 0, factor: 1, maxDelaySeconds: 0 };

/**
 * Returns the milliseconds until the next attempt, or `undefined` if no attempt is left.
 * Half of the delay is jitter, so that jobs that failed together are not retried together.
 *
 * @param failedAttempts number of failed attempts, at least 1
 * @param random a number in [0, 1)
 */
export function retryDelayMs(policy: RetryPolicy, failedAttempts: number, random: number): number | undefined {
  if (failedAttempts >= policy.maxAttempts) return undefined;
  const exponential = policy.firstDelaySeconds * policy.factor ** (failedAttempts - 1);
  const delayMs = Math.min(exponential, policy.maxDelaySeconds) * 1000;
  return Math.round(delayMs / 2 + (delayMs / 2) * random);
}
