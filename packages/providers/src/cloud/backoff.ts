/** Returns the delay before the next retry of a read within one call: two retries, under two seconds in total. */
export function repeatDelayMs(repeats: number): number | undefined {
  if (repeats === 0) return between(150, 400);
  if (repeats === 1) return between(500, 1_200);
  return undefined;
}

function between(low: number, high: number): number {
  return Math.round(low + Math.random() * (high - low));
}
