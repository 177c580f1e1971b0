import { dayNumber, fromDayNumber, MS_PER_DAY } from '@healthd/model';
import type { DateOrInstant } from '@healthd/schemas';
import { unprocessable } from '../platform/failures.js';

/** Dates (`YYYY-MM-DD`) from `fromDate` to before `beforeDate`. Empty if both are equal. */
export interface DayBounds {
  fromDate: string;
  beforeDate: string;
}

/** Instants from `fromMs` to before `beforeMs`. Empty if both are equal. */
export interface InstantBounds {
  fromMs: number;
  beforeMs: number;
}

/** Defaults of omitted bounds: before and after all possible moments. */
export const OPEN_START: DateOrInstant = { ms: Date.UTC(0, 0, 1), dateOnly: true };
export const OPEN_END: DateOrInstant = { ms: Date.UTC(9999, 11, 31), dateOnly: true };

/** Requested bounds, and the parameter name for error messages. */
export interface Requested {
  start: DateOrInstant;
  end: DateOrInstant;
  endName: string;
}

/**
 * Returns the days of a summary: `date(start) ≤ day < date(end)`, with dates in UTC. If the end is not at midnight, its
 * day is included, so `…T23:59:59Z` includes the day in the timestamp.
 */
export function dayBounds({ start, end, endName }: Requested): DayBounds {
  requireOrder(start.ms, end.ms, endName);
  const fromDay = Math.floor(start.ms / MS_PER_DAY);
  const beforeDay = end.ms === start.ms ? fromDay : Math.ceil(end.ms / MS_PER_DAY);
  return { fromDate: fromDayNumber(fromDay), beforeDate: fromDayNumber(beforeDay) };
}

/** Returns the bounds of the UTC date of a moment. */
export function oneDay({ ms }: DateOrInstant): DayBounds {
  const day = Math.floor(ms / MS_PER_DAY);
  return { fromDate: fromDayNumber(day), beforeDate: fromDayNumber(day + 1) };
}

/** Returns the bounds of an event list as instants: `[start, end)`, even if the end has no time. */
export function instantBounds({ start, end, endName }: Requested): InstantBounds {
  requireOrder(start.ms, end.ms, endName);
  return { fromMs: start.ms, beforeMs: end.ms };
}

/** Returns the bounds of a time series as instants: `[start, end)`. If the end has no time, its day is included. */
export function timeseriesBounds(requested: Requested): InstantBounds {
  requireOrder(requested.start.ms, requested.end.ms, requested.endName);
  return timeseriesEdges(requested);
}

/** Returns the bounds of a time series, even if they are reversed. */
export function timeseriesEdges({ start, end }: Pick<Requested, 'start' | 'end'>): InstantBounds {
  return { fromMs: start.ms, beforeMs: end.dateOnly ? end.ms + MS_PER_DAY : end.ms };
}

function requireOrder(startMs: number, endMs: number, endName: string): void {
  if (endMs < startMs)
    throw unprocessable(['query', endName], 'The end is before the start. Pass an end that is not before the start.');
}

/** Returns the date that is this many days after another date, or before it if negative. */
export function daysAfter(date: string, days: number): string {
  return fromDayNumber((dayNumber(date) as number) + days);
}

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
