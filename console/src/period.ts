import { useSearchParams } from 'react-router';
import { daysAgo } from './format.js';

/** Lengths in days that the pages of a user offer. */
export const PERIODS = [7, 30, 90] as const;
export type Period = (typeof PERIODS)[number];

const DEFAULT_PERIOD: Period = 30;

/** The period that an address names with `days`; the default for none and for one that is not offered. */
export function periodOf(search: URLSearchParams): Period {
  return PERIODS.find((days) => String(days) === search.get('days')) ?? DEFAULT_PERIOD;
}

/** The query part of an address with this period; empty for the default, so that an address has one form. */
export function periodSearch(days: Period): string {
  return days === DEFAULT_PERIOD ? '' : `?days=${days}`;
}

export function usePeriod(): Period {
  return periodOf(useSearchParams()[0]);
}

/**
 * What to ask the service for so that the period holds: dates of the person's own clock, which may be a day ahead of UTC.
 * `end_date` is not included.
 */
export function periodBounds(days: Period, now = Date.now()): { start_date: string; end_date: string } {
  return { start_date: daysAgo(days - 1, now), end_date: daysAgo(-2, now) };
}

/** All dates of the period, oldest first; it ends today in UTC, or on the person's own today when that is later. */
export function periodDates(days: Period, newestDate: string | undefined, now = Date.now()): string[] {
  const today = daysAgo(0, now);
  const end = newestDate !== undefined && newestDate > today ? Date.parse(newestDate) : Date.parse(today);
  return Array.from({ length: days }, (_, index) => daysAgo(days - 1 - index, end));
}
