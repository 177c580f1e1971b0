const YEAR_1_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_OF_YEAR_9999_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** True if the year is from 1 to 9999, the range of {@link sqlInstant}. */
export function isSqlInstant(ms: number): boolean {
  return Number.isSafeInteger(ms) && ms >= YEAR_1_MS && ms <= LAST_OF_YEAR_9999_MS;
}

/**
 * Formats an instant as a statement parameter. Limits the year to the range from 1 to 9999, because other years need more
 * than four digits.
 */
export function sqlInstant(ms: number): string {
  return new Date(Math.min(LAST_OF_YEAR_9999_MS, Math.max(YEAR_1_MS, ms))).toISOString();
}
