/** Maximum number of counted names, so that a file cannot grow a count without limit. */
const MAX_NAMES = 500;
const LONGEST_NAME = 120;
/** Name that counts all further names. */
const OTHER_NAMES = 'others';

/** Counts by name, up to 500 names; counts further names together. */
export function countName(counts: Map<string, number>, name: string): void {
  const before = counts.get(name);
  if (before !== undefined) {
    counts.set(name, before + 1);
    return;
  }
  const key = counts.size < MAX_NAMES ? name.slice(0, LONGEST_NAME) : OTHER_NAMES;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Returns the largest counts in descending order, and the combined count of the other names. */
export function mostFrequent(counts: Iterable<readonly [string, number]>, most: number): Record<string, number> {
  const named = [...counts].filter(([name]) => name !== OTHER_NAMES).sort(([, a], [, b]) => b - a);
  const top = named.slice(0, most);
  const total = [...counts].reduce((sum, [, count]) => sum + count, 0);
  const others = total - top.reduce((sum, [, count]) => sum + count, 0);
  return Object.fromEntries(others > 0 ? [...top, [OTHER_NAMES, others]] : top);
}
