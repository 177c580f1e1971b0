import { daysSince } from '../../format.js';

/** Default number of days. */
const USUAL_DAYS = 30;
/**
 * Additional days of a backfill. A backfill starts a multiple of 24 hours ago, and a date may start 14 hours before UTC
 * midnight. Two days cover the date in all time zones.
 */
const SPARE_DAYS = 2;

/** Days of a backfill, and how much of the requested date it covers. */
interface BackfillDays {
  days: number;
  reach: 'whole' | 'part' | 'none';
}

/** Returns the backfill days for a missing date (`YYYY-MM-DD`), up to `most`. Without a date, returns the default. */
export function backfillDays(from: string | undefined, most: number, now = Date.now()): BackfillDays {
  if (from === undefined) return { days: Math.min(USUAL_DAYS, most), reach: 'whole' };
  const back = daysSince(from, now);
  const days = back + SPARE_DAYS;
  if (days <= most) return { days, reach: 'whole' };
  return { days: most, reach: back <= most ? 'part' : 'none' };
}
