/**
 * When to come again where the vendor does not say. Quotas are counted by the minute, so a refused request is not sent
 * again at once; the spread keeps those that were refused together from coming back together.
 */
export function rateLimitHintMs(): number {
  return between(20_000, 60_000);
}

/** When to ask again a server that failed. */
export function unavailableHintMs(): number {
  return between(5_000, 15_000);
}

/** Waits before the repeats of a read within one call: two of them, under two seconds together. */
export function repeatDelayMs(repeats: number): number | undefined {
  if (repeats === 0) return between(150, 400);
  if (repeats === 1) return between(500, 1_200);
  return undefined;
}

function between(low: number, high: number): number {
  return Math.round(low + Math.random() * (high - low));
}
