// What a run reports about itself is not typed: a reader takes what it knows and gives zeros for the rest.

/** The members of an object; none for anything else. */
export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** A finite number, or undefined. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The members that are numbers. */
export function countsOf(value: unknown): Record<string, number> {
  const entries = Object.entries(recordOf(value));
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => numberOf(entry[1]) !== undefined));
}
