import {
  dayNumber,
  fromDayNumber,
  localDate,
  MS_PER_DAY,
  MS_PER_MINUTE,
  SAMPLE_KIND_CODE,
  seriesTypeByCode,
} from '@healthd/model';
import type { StampedRow } from './evidence.sql.js';
import type { Nights } from './nights.js';

const RESTING_HEART_RATE = seriesTypeByCode('resting_heart_rate').id;

/**
 * The date that a vendor wrote instead of an instant: midnight UTC without an offset, or a day's total on its own wall
 * clock. Undefined for what was measured at an instant.
 */
export function writtenDate(
  row: Pick<StampedRow, 'kind' | 'at' | 'own_offset' | 'offset_minutes'>,
): string | undefined {
  const ms = row.at.getTime();
  if (row.own_offset === null && ms % MS_PER_DAY === 0) return fromDayNumber(ms / MS_PER_DAY);
  return row.kind === SAMPLE_KIND_CODE.daily_total ? localDate(ms, row.offset_minutes) : undefined;
}

/** The dates that a value of a whole night or day is about: as written, else its nights, else its local date. */
export function datesOf(row: StampedRow, nights: Nights): string[] {
  const written = writtenDate(row);
  if (written !== undefined) return [written];
  const ms = row.at.getTime();
  const local = localDate(ms, row.offset_minutes);
  // A day's value at its local midnight: a sleep that ended in the evening before does not claim it.
  if (row.type_id === RESTING_HEART_RATE && (ms + row.offset_minutes * MS_PER_MINUTE) % MS_PER_DAY === 0)
    return [local];
  const claims = nights.claims(row.provider, local, ms);
  return claims.length > 0 ? claims : [local];
}

/** The last of a date's scores, which are in order of time, up to noon on the wall clock; else the first. */
export function scoreOf(scores: readonly StampedRow[], date: string): StampedRow | undefined {
  const noonMs = ((dayNumber(date) ?? 0) + 0.5) * MS_PER_DAY;
  return (
    scores.findLast(({ at, offset_minutes }) => at.getTime() + offset_minutes * MS_PER_MINUTE <= noonMs) ?? scores[0]
  );
}
