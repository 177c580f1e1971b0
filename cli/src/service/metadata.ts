// Readers of a run's untyped metadata. They ignore unknown members and return zero for missing counts.

/** Returns the members of an object, or an empty object for any other value. */
export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Returns a finite number, or undefined for any other value. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Returns the members that are finite numbers. */
export function countsOf(value: unknown): Record<string, number> {
  const entries = Object.entries(recordOf(value));
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => numberOf(entry[1]) !== undefined));
}
