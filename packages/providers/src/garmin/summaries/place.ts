import { MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import { intervalProblem } from '../../interval.js';
import { numberOf } from '../../payload/index.js';
import type { SummaryReading } from './reading.js';

/** Time of an item. */
export interface Place {
  startMs: number;
  /** Equal to the start if the vendor reports no length. */
  endMs: number;
  /** Undefined if the vendor does not report it. A null offset is unknown, never UTC. */
  offsetMinutes: number | undefined;
  /** The vendor's `calendarDate`, `YYYY-MM-DD`; undefined if it is missing. */
  date: string | undefined;
}

interface PlaceNames {
  start?: string;
  offset?: string;
}

const DATE = /^\d{4}-\d\d-\d\d$/;
/** Largest difference between local time and UTC. */
const FURTHEST_OFFSET_MINUTES = 18 * 60;

/** Returns the time of an item. Rejects the item and returns undefined if the time is not usable. */
export function placeOf(
  item: Readonly<Record<string, unknown>>,
  { tally, index }: SummaryReading,
  { start = 'startTimeInSeconds', offset = 'startTimeOffsetInSeconds' }: PlaceNames = {},
): Place | undefined {
  const startMs = msOf(item[start]) ?? Number.NaN;
  const endMs = startMs + (lengthMsOf(item) ?? 0);
  const problem = intervalProblem(startMs, endMs);
  if (problem) {
    tally.reject(index, problem.field === 'startDate' ? start : 'durationInSeconds', problem.code);
    return undefined;
  }
  return { startMs, endMs, offsetMinutes: offsetOf(item[offset]), date: dateOf(item.calendarDate) };
}

/**
 * Returns the start and offset of an item's local day. The vendor's date determines the day; without a date, returns
 * the item's start. Derives a missing offset from the start, which is local midnight. If the offset remains unknown,
 * returns noon UTC of the date.
 */
export function dayOf({ startMs, offsetMinutes, date }: Place): { startMs: number; offsetMinutes: number | undefined } {
  if (date === undefined) return { startMs, offsetMinutes };
  const midnightMs = Date.parse(`${date}T00:00:00Z`);
  const shown = (midnightMs - startMs) / MS_PER_MINUTE;
  const offset = offsetMinutes ?? (Math.abs(shown) <= FURTHEST_OFFSET_MINUTES && shown % 15 === 0 ? shown : undefined);
  if (offset === undefined) return { startMs: noonOf(date), offsetMinutes: undefined };
  return { startMs: midnightMs - offset * MS_PER_MINUTE, offsetMinutes: offset };
}

/** Returns the local date of an item: the vendor's date, otherwise the date of its start. */
export function localDateOf({ startMs, offsetMinutes = 0, date }: Place): string {
  return date ?? new Date(startMs + offsetMinutes * MS_PER_MINUTE).toISOString().slice(0, 10);
}

/** Returns noon UTC, which is on the same date nearly everywhere, for values that only have a date. */
export function noonOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) + 12 * MS_PER_HOUR;
}

export function dateOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !DATE.test(value)) return undefined;
  return Number.isNaN(Date.parse(`${value}T00:00:00Z`)) ? undefined : value;
}

/** Converts seconds since 1970 to milliseconds. */
export function msOf(value: unknown): number | undefined {
  const seconds = numberOf(value);
  return seconds === undefined ? undefined : Math.round(seconds * MS_PER_SECOND);
}

/** Reads an item's length, under either name. */
function lengthMsOf(item: Readonly<Record<string, unknown>>): number | undefined {
  return msOf(item.durationInSeconds) ?? msOf(item.duration);
}

function offsetOf(value: unknown): number | undefined {
  const seconds = numberOf(value);
  if (seconds === undefined) return undefined;
  const minutes = seconds / 60;
  return Number.isInteger(minutes) && Math.abs(minutes) <= FURTHEST_OFFSET_MINUTES ? minutes : undefined;
}
