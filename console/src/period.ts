import { useSearchParams } from 'react-router';
import { daysAgo } from './format.js';

/** Period lengths in days on a user's pages. */
export const PERIODS = [7, 30, 90] as const;
export type Period = (typeof PERIODS)[number];

const DEFAULT_PERIOD: Period = 30;

/** Reads the period from the URL parameter `days`. Missing and unsupported values return the default. */
export function periodOf(search: URLSearchParams): Period {
  return PERIODS.find((days) => String(days) === search.get('days')) ?? DEFAULT_PERIOD;
}

/** Returns the URL query for a period. The default is omitted, so each view has one URL. */
export function periodSearch(days: Period): string {
  return days === DEFAULT_PERIOD ? '' : `?days=${days}`;
}

export function usePeriod(): Period {
  return periodOf(useSearchParams()[0]);
}

/**
 * Returns the request bounds for the period. Dates are local to the user, who may be a day ahead of UTC. `end_date` is
 * exclusive.
 */
export function periodBounds(days: Period, now = Date.now()): { start_date: string; end_date: string } {
  return { start_date: daysAgo(days - 1, now), end_date: daysAgo(-2, now) };
}

/**
 * Returns all dates of the period, oldest first. The last date is today in UTC or the user's local today, whichever is
 * later.
 */
export function periodDates(days: Period, newestDate: string | undefined, now = Date.now()): string[] {
  const today = daysAgo(0, now);
  const end = newestDate !== undefined && newestDate > today ? Date.parse(newestDate) : Date.parse(today);
  return Array.from({ length: days }, (_, index) => daysAgo(days - 1 - index, end));
}
