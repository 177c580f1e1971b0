/**
 * True if one of the times is less than `withinMs` milliseconds before or after `ms`.
 * @param times in ascending order
 */
export function isAnyNear(times: readonly number[], ms: number, withinMs: number): boolean {
  let [from, to] = [0, times.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((times[middle] as number) <= ms - withinMs) from = middle + 1;
    else to = middle;
  }
  const next = times[from];
  return next !== undefined && next < ms + withinMs;
}
