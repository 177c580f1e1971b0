import { describe, expect, it } from 'vitest';
import { RETRY_NEVER, RETRY_SOON, retryDelayMs } from './retry.js';

const policy = { maxAttempts: 5, firstDelaySeconds: 2, factor: 3, maxDelaySeconds: 20 };
const longest = 0.999999;

describe('retryDelayMs', () => {
  it('grows by the factor up to the maximum delay', () => {
    const delays = [1, 2, 3, 4].map((failed) => retryDelayMs(policy, failed, longest));
    expect(delays).toEqual([2000, 6000, 18_000, 20_000]);
  });

  it('spreads simultaneously failed jobs over half of the delay', () => {
    expect(retryDelayMs(policy, 1, 0)).toBe(1000);
    expect(retryDelayMs(policy, 1, 0.5)).toBe(1500);
  });

  it('is undefined when all attempts are used', () => {
    expect(retryDelayMs(policy, 5, 0)).toBeUndefined();
    expect(retryDelayMs(RETRY_NEVER, 1, 0)).toBeUndefined();
  });

  it('adds up to at most 24 minutes with RETRY_SOON', () => {
    const delays = [1, 2, 3, 4, 5].map((failed) => retryDelayMs(RETRY_SOON, failed, longest) ?? 0);
    expect(delays.reduce((sum, delay) => sum + delay, 0)).toBe(1_410_000);
  });
});
