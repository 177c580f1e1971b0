import { ARCHIVED_TYPE_IDS, seriesTypeByCode } from '@healthd/model';
import type { DataGaps } from '@healthd/schemas';

/** Data type of one provider with its received days. */
export type KindOfData = DataGaps['items'][number];

/** Range of days; both ends are inclusive. */
export type Days = KindOfData['missing'][number];

/** State of a day. `archived` days have only totals. Data was expected on `missing` days, but not on `empty` days. */
export type DayState = 'received' | 'archived' | 'missing' | 'empty';

/**
 * Returns the state of each date, oldest first.
 * @param archivedBefore day before which ordinary samples are archived
 */
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

/** Returns the missing ranges that overlap a period. */
export function missingWithin({ missing }: KindOfData, dates: readonly string[]): Days[] {
  const [first, last] = [dates[0] ?? '', dates.at(-1) ?? ''];
  return missing.filter((days) => days.first_date <= last && days.last_date >= first);
}

function isWithin(stretches: readonly Days[], date: string): boolean {
  return stretches.some(({ first_date, last_date }) => first_date <= date && date <= last_date);
}

/** Formats days as `2026-11-05`, or `2026-11-05 – 2026-11-07`. */
export function daysText({ first_date, last_date }: Days): string {
  return first_date === last_date ? first_date : `${first_date} – ${last_date}`;
}
