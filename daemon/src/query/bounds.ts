import { dayNumber, fromDayNumber, MS_PER_DAY } from '@healthd/model';
import type { DateOrInstant } from '@healthd/schemas';
import { unprocessable } from '../platform/failures.js';

/** Days from `fromDate` until before `beforeDate`, both `YYYY-MM-DD`. Empty when they are equal. */
export interface DayBounds {
  fromDate: string;
  beforeDate: string;
}

/** Instants from `fromMs` until before `beforeMs`. Empty when they are equal. */
export interface InstantBounds {
  fromMs: number;
  beforeMs: number;
}

/** Before and after everything that a moment may name, for a bound that was left out. */
export const OPEN_START: DateOrInstant = { ms: Date.UTC(0, 0, 1), dateOnly: true };
export const OPEN_END: DateOrInstant = { ms: Date.UTC(9999, 11, 31), dateOnly: true };

/** The two bounds of a request, and the parameter that a complaint names. */
export interface Requested {
  start: DateOrInstant;
  end: DateOrInstant;
  endName: string;
}

/**
 * Days of a summary: `date(start) ≤ day < date(end)` with dates taken in UTC. An end that is not at midnight includes
 * its own day, so that `…T23:59:59Z` does not drop the day it names.
 */
export function dayBounds({ start, end, endName }: Requested): DayBounds {
  requireOrder(start.ms, end.ms, endName);
  const fromDay = Math.floor(start.ms / MS_PER_DAY);
  const beforeDay = end.ms === start.ms ? fromDay : Math.ceil(end.ms / MS_PER_DAY);
  return { fromDate: fromDayNumber(fromDay), beforeDate: fromDayNumber(beforeDay) };
}

/** Bounds of the UTC date of a moment. */
export function oneDay({ ms }: DateOrInstant): DayBounds {
  const day = Math.floor(ms / MS_PER_DAY);
  return { fromDate: fromDayNumber(day), beforeDate: fromDayNumber(day + 1) };
}

/** Instants of an event list: `[start, end)`, also when the end is a bare date. */
export function instantBounds({ start, end, endName }: Requested): InstantBounds {
  requireOrder(start.ms, end.ms, endName);
  return { fromMs: start.ms, beforeMs: end.ms };
}

/** Instants of a time series: `[start, end)`, but an end given as a bare date includes that whole day. */
export function timeseriesBounds({ start, end, endName }: Requested): InstantBounds {
  requireOrder(start.ms, end.ms, endName);
  return { fromMs: start.ms, beforeMs: end.dateOnly ? end.ms + MS_PER_DAY : end.ms };
}

function requireOrder(startMs: number, endMs: number, endName: string): void {
  if (endMs < startMs)
    throw unprocessable(['query', endName], 'The end is before the start. Give an end that is not earlier.');
}

/** The date that many days after another one, or before it. */
export function daysAfter(date: string, days: number): string {
  return fromDayNumber((dayNumber(date) as number) + days);
}
