import { daysSince } from '../../format.js';

/** Asked for without a hole. */
const USUAL_DAYS = 30;
/**
 * A backfill begins so many times 24 hours before now, and a date may begin up to 14 hours before it begins in UTC: two
 * more days hold all of it, at any time of the day and in every zone.
 */
const SPARE_DAYS = 2;

/** How many days a backfill is asked for, and how much of the wanted date it can reach. */
interface BackfillDays {
  days: number;
  reach: 'whole' | 'part' | 'none';
}

/** The days of a backfill over a missing date, `YYYY-MM-DD`, where `most` can be read; the usual ones without a date. */
export function backfillDays(from: string | undefined, most: number, now = Date.now()): BackfillDays {
  if (from === undefined) return { days: Math.min(USUAL_DAYS, most), reach: 'whole' };
  const back = daysSince(from, now);
  const wanted = back + SPARE_DAYS;
  if (wanted <= most) return { days: wanted, reach: 'whole' };
  return { days: most, reach: back <= most ? 'part' : 'none' };
}
