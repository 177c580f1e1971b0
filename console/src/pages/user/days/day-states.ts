import { ARCHIVED_TYPE_IDS, seriesTypeByCode } from '@healthd/model';
import type { DataGaps } from '@healthd/schemas';

/** A kind of data of one provider with the days on which it came. */
export type KindOfData = DataGaps['items'][number];

/** A stretch of days, both ends included. */
export type Days = KindOfData['missing'][number];

/**
 * What is known of a day: `archived` days were received and live on as totals, `missing` ones were expected, `empty` ones
 * were not.
 */
export type DayState = 'received' | 'archived' | 'missing' | 'empty';

/** The state of each date, oldest first. @param archivedBefore day before which ordinary samples are archived */
export function dayStates(
  item: KindOfData,
  dates: readonly string[],
  archivedBefore: string | null,
): { date: string; state: DayState }[] {
  const isArchived = ARCHIVED_TYPE_IDS.includes(seriesTypeByCode(item.data_type)?.id ?? -1);
  return dates.map((date) => {
    if (isWithin(item.received, date)) {
      const archived = isArchived && archivedBefore !== null && date < archivedBefore;
      return { date, state: archived ? 'archived' : 'received' };
    }
    return { date, state: isWithin(item.missing, date) ? 'missing' : 'empty' };
  });
}

/** The missing stretches that reach into a period. */
export function missingWithin({ missing }: KindOfData, dates: readonly string[]): Days[] {
  const [first, last] = [dates[0] ?? '', dates.at(-1) ?? ''];
  return missing.filter((days) => days.first_date <= last && days.last_date >= first);
}

function isWithin(stretches: readonly Days[], date: string): boolean {
  return stretches.some(({ first_date, last_date }) => first_date <= date && date <= last_date);
}

/** `2026-11-05`, or `2026-11-05 – 2026-11-07`. */
export function daysText({ first_date, last_date }: Days): string {
  return first_date === last_date ? first_date : `${first_date} – ${last_date}`;
}
