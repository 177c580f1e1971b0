import { MS_PER_DAY, MS_PER_MINUTE } from './units.js';

/** Days of a 400-year cycle, a century and four years of the Gregorian calendar. In this file, years start in March. */
const DAYS_PER_ERA = 146_097;
const DAYS_PER_CENTURY = 36_524;
const DAYS_PER_FOUR_YEARS = 1_461;
/** Days from 0000-03-01 to 1970-01-01. */
const EPOCH_FROM_MARCH_0 = 719_468;

/** Returns the day in local time `offsetMinutes` ahead of UTC, counted from 1970-01-01. */
export function localDayNumber(startMs: number, offsetMinutes: number): number {
  return Math.floor((startMs + offsetMinutes * MS_PER_MINUTE) / MS_PER_DAY);
}

/** Returns the date in local time `offsetMinutes` ahead of UTC, as `YYYY-MM-DD`. */
export function localDate(startMs: number, offsetMinutes: number): string {
  return fromDayNumber(localDayNumber(startMs, offsetMinutes));
}

/** Returns the first instant of a day in local time `offsetMinutes` ahead of UTC, in milliseconds since the epoch. */
export function dayStartMs(day: number, offsetMinutes = 0): number {
  return day * MS_PER_DAY - offsetMinutes * MS_PER_MINUTE;
}

/** Returns the date of a day number as `YYYY-MM-DD` (years 0000 to 9999). Inverse of {@link dayNumber}. */
export function fromDayNumber(day: number): string {
  const fromMarch0 = day + EPOCH_FROM_MARCH_0;
  const era = Math.floor(fromMarch0 / DAYS_PER_ERA);
  const dayOfEra = fromMarch0 - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / (DAYS_PER_FOUR_YEARS - 1)) +
      Math.floor(dayOfEra / DAYS_PER_CENTURY) -
      Math.floor(dayOfEra / (DAYS_PER_ERA - 1))) /
      365,
  );
  const dayOfYear = dayOfEra - daysBeforeYear(yearOfEra);
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - daysBeforeMonth(monthFromMarch) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(dayOfMonth)}`;
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;

/** Returns the days from 1970-01-01 to a date `YYYY-MM-DD`; undefined if the calendar has no such date. */
export function dayNumber(date: string): number | undefined {
  const match = DATE.exec(date);
  if (!match) return undefined;
  const month = Number(match[2]);
  const dayOfMonth = Number(match[3]);
  if (month < 1 || month > 12 || dayOfMonth < 1) return undefined;
  const year = Number(match[1]) - (month <= 2 ? 1 : 0);
  const era = Math.floor(year / 400);
  const dayOfYear = daysBeforeMonth(month > 2 ? month - 3 : month + 9) + dayOfMonth - 1;
  const day = era * DAYS_PER_ERA + daysBeforeYear(year - era * 400) + dayOfYear - EPOCH_FROM_MARCH_0;
  return fromDayNumber(day) === date ? day : undefined;
}

function daysBeforeYear(yearOfEra: number): number {
  return 365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
}

/** Months from March have 31, 30, 31, 30, 31 days repeatedly; this linear formula reproduces them. */
function daysBeforeMonth(monthFromMarch: number): number {
  return Math.floor((153 * monthFromMarch + 2) / 5);
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
