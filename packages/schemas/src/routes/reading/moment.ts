import { dayNumber, MS_PER_DAY } from '@healthd/model';
import { z } from 'zod';
import { problem } from '../../problem.js';

/** Point in time as a caller wrote it. */
export interface DateOrInstant {
  /** Milliseconds since 1970-01-01T00:00:00Z. A date means its first instant in UTC. */
  ms: number;
  /** True for a date without a time, for example `2026-01-15` or `20260115`. */
  dateOnly: boolean;
}

const EARLIEST_MS = (dayNumber('1900-01-01') ?? 0) * MS_PER_DAY;
const LATEST_MS = ((dayNumber('9999-12-31') ?? 0) + 1) * MS_PER_DAY - 1;

const COMPACT_DATE = /^(?:19|20)\d{6}$/;
const UNIX_SECONDS = /^[+-]?\d{1,15}(?:\.\d{1,9})?$/;
const DATE = /^(?:(\d{4})-(\d\d)-(\d\d)|(\d{4})(\d\d)(\d\d))$/;
const WEEK_DATE = /^(\d{4})-?W(\d\d)(?:-?([1-7]))?$/;
const TIME = /^(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * Parses ISO 8601 (extended, basic and week dates; a space or `T` before the time) or Unix seconds. A value without an
 * offset is UTC. Eight digits that start with 19 or 20 are a date. Returns undefined for other texts, for dates that do not
 * exist, and for years outside 1900 to 9999, where callers usually passed milliseconds.
 */
export function parseMoment(text: string): DateOrInstant | undefined {
  const moment = UNIX_SECONDS.test(text) && !COMPACT_DATE.test(text) ? unixSeconds(text) : isoMoment(text);
  return moment && moment.ms >= EARLIEST_MS && moment.ms <= LATEST_MS ? moment : undefined;
}

/** Point in time in a query: ISO 8601 or Unix seconds. */
export const momentParam = z
  .string()
  .meta({ description: 'ISO 8601 date or date-time (UTC without an offset), or Unix seconds' })
  .transform((text, context) => {
    const message = `Invalid datetime format: '${text.slice(0, 64)}'. Expected ISO 8601 format or Unix timestamp.`;
    return parseMoment(text) ?? problem(context, 'datetime_parsing', message);
  });

function unixSeconds(text: string): DateOrInstant {
  return { ms: Math.round(Number(text) * 1000), dateOnly: false };
}

function isoMoment(text: string): DateOrInstant | undefined {
  const cut = text.search(/[Tt ]/);
  const day = calendarDay(cut < 0 ? text : text.slice(0, cut));
  if (day === undefined) return undefined;
  if (cut < 0) return { ms: day * MS_PER_DAY, dateOnly: true };
  const timeMs = clockMs(text.slice(cut + 1));
  return timeMs === undefined ? undefined : { ms: day * MS_PER_DAY + timeMs, dateOnly: false };
}

function calendarDay(text: string): number | undefined {
  const date = DATE.exec(text);
  if (date) return dayNumber(`${date[1] ?? date[4]}-${date[2] ?? date[5]}-${date[3] ?? date[6]}`);
  const week = WEEK_DATE.exec(text);
  return week ? weekDay(week[1] ?? '', Number(week[2]), Number(week[3] ?? 1)) : undefined;
}

/** Week 1 contains January 4. Weeks start on Monday (1970-01-01 was a Thursday). */
function weekDay(year: string, week: number, weekday: number): number | undefined {
  const firstMonday = mondayOfWeekOne(Number(year));
  const nextFirstMonday = mondayOfWeekOne(Number(year) + 1);
  if (firstMonday === undefined || nextFirstMonday === undefined || week < 1) return undefined;
  const day = firstMonday + (week - 1) * 7 + weekday - 1;
  return day < nextFirstMonday ? day : undefined;
}

function mondayOfWeekOne(year: number): number | undefined {
  const january4 = dayNumber(`${String(year).padStart(4, '0')}-01-04`);
  return january4 === undefined ? undefined : january4 - ((((january4 + 3) % 7) + 7) % 7);
}

/** Milliseconds from midnight UTC of the written date; the offset can move it below 0 or beyond 24 hours. */
function clockMs(text: string): number | undefined {
  const match = TIME.exec(text);
  if (!match) return undefined;
  const [hours, minutes, seconds] = [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)];
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  const offsetMinutes = offsetOf(match[5] ?? 'Z');
  if (offsetMinutes === undefined) return undefined;
  const fractionMs = Math.trunc(Number(`0.${match[4] ?? 0}`) * 1000 + 1e-6);
  return ((hours * 60 + minutes - offsetMinutes) * 60 + seconds) * 1000 + fractionMs;
}

function offsetOf(text: string): number | undefined {
  if (text.toUpperCase() === 'Z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(':', '') || 0);
  if (hours > 18 || minutes > 59) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
