const YEAR_1_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_OF_YEAR_9999_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether an instant has a year from 1 to 9999, which is what {@link sqlInstant} can say. */
export function isSqlInstant(ms: number): boolean {
  return Number.isSafeInteger(ms) && ms >= YEAR_1_MS && ms <= LAST_OF_YEAR_9999_MS;
}

/** An instant as a parameter of a statement. Years beyond 1 to 9999 become the nearest that is written with four digits. */
export function sqlInstant(ms: number): string {
  return new Date(Math.min(LAST_OF_YEAR_9999_MS, Math.max(YEAR_1_MS, ms))).toISOString();
}
