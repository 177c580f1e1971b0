import { MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import { intervalProblem } from '../../interval.js';
import { numberOf } from '../../payload/index.js';
import type { SummaryReading } from './reading.js';

/** Where an item is in time. */
export interface Place {
  startMs: number;
  /** Equal to the start where the vendor gives no length. */
  endMs: number;
  /** Undefined where the vendor does not say: an offset that is null is unknown, and never UTC. */
  offsetMinutes: number | undefined;
  /** The vendor's `calendarDate`, `YYYY-MM-DD`; undefined where it is missing. */
  date: string | undefined;
}

interface PlaceNames {
  start?: string;
  offset?: string;
}

const DATE = /^\d{4}-\d\d-\d\d$/;
/** Wall clocks are at most so far from UTC. */
const FURTHEST_OFFSET_MINUTES = 18 * 60;

/** The place of an item that has a start; undefined, and a rejection, when it has no usable time. */
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
 * The local day that an item stands for, as of all values of whole days: local midnight on the wall clock. The vendor's
 * date wins where the start disagrees with it. A day whose offset is missing shows it by the start, which is midnight.
 */
export function dayOf({ startMs, offsetMinutes, date }: Place): { startMs: number; offsetMinutes: number | undefined } {
  if (date === undefined) return { startMs, offsetMinutes };
  const midnightMs = Date.parse(`${date}T00:00:00Z`);
  const shown = (midnightMs - startMs) / MS_PER_MINUTE;
  const offset = offsetMinutes ?? (Math.abs(shown) <= FURTHEST_OFFSET_MINUTES && shown % 15 === 0 ? shown : undefined);
  if (offset === undefined) return { startMs: noonOf(date), offsetMinutes: undefined };
  return { startMs: midnightMs - offset * MS_PER_MINUTE, offsetMinutes: offset };
}

/** The local date of an item: the vendor's own, else that of its start on its wall clock. */
export function localDateOf({ startMs, offsetMinutes = 0, date }: Place): string {
  return date ?? new Date(startMs + offsetMinutes * MS_PER_MINUTE).toISOString().slice(0, 10);
}

/** What is known by its date alone stands at noon UTC, which is on that date nearly everywhere. */
export function noonOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) + 12 * MS_PER_HOUR;
}

export function dateOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !DATE.test(value)) return undefined;
  return Number.isNaN(Date.parse(`${value}T00:00:00Z`)) ? undefined : value;
}

/** Seconds since 1970 as milliseconds. */
export function msOf(value: unknown): number | undefined {
  const seconds = numberOf(value);
  return seconds === undefined ? undefined : Math.round(seconds * MS_PER_SECOND);
}

/** The length of an item, under either of its names. */
function lengthMsOf(item: Readonly<Record<string, unknown>>): number | undefined {
  return msOf(item.durationInSeconds) ?? msOf(item.duration);
}

function offsetOf(value: unknown): number | undefined {
  const seconds = numberOf(value);
  if (seconds === undefined) return undefined;
  const minutes = seconds / 60;
  return Number.isInteger(minutes) && Math.abs(minutes) <= FURTHEST_OFFSET_MINUTES ? minutes : undefined;
}
