/** A file that makes up ever new names must not make a count grow without end. */
const MAX_NAMES = 500;
const LONGEST_NAME = 120;
/** Under this name everything is counted that has no count of its own. */
const OTHER_NAMES = 'others';

/** Counts by name, of at most 500 names; what comes after them is counted together. */
export function countName(counts: Map<string, number>, name: string): void {
  const before = counts.get(name);
  if (before !== undefined) {
    counts.set(name, before + 1);
    return;
  }
  const key = counts.size < MAX_NAMES ? name.slice(0, LONGEST_NAME) : OTHER_NAMES;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** The largest of some counts in falling order, the rest counted together. */
export function mostFrequent(counts: Iterable<readonly [string, number]>, most: number): Record<string, number> {
  const named = [...counts].filter(([name]) => name !== OTHER_NAMES).sort(([, a], [, b]) => b - a);
  const kept = named.slice(0, most);
  const total = [...counts].reduce((sum, [, count]) => sum + count, 0);
  const others = total - kept.reduce((sum, [, count]) => sum + count, 0);
  return Object.fromEntries(others > 0 ? [...kept, [OTHER_NAMES, others]] : kept);
}
