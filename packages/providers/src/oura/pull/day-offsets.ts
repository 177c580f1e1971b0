import { dayNumber } from '@healthd/model';
import type { VendorApi } from '../../cloud/index.js';
import { isObject } from '../../payload/index.js';
import { offsetOfTime } from '../../rest/index.js';
import { SCOPES } from '../oauth.js';
import { type DayRange, readDays } from './read-documents.js';

/** Returns the UTC offset of the user's local time on each day. */
export type DayOffsets = (day: number) => number | undefined;

/**
 * Reads offsets from daily activity, whose timestamp has the day's offset. Other documents have meaningless offsets.
 * Days without activity get the nearest day's offset. All offsets are unknown if the user did not consent to daily
 * activity.
 * @throws VendorError
 */
export async function readDayOffsets(api: VendorApi, scopes: ReadonlySet<string>, days: DayRange): Promise<DayOffsets> {
  if (!scopes.has(SCOPES.daily)) return () => undefined;
  return dayOffsets(await readDays(api, 'daily_activity', days, { fields: 'day,timestamp' }));
}

/** Returns offsets from documents that were already read. */
export function dayOffsets(documents: readonly unknown[]): DayOffsets {
  const known = new Map<number, number>();
  for (const document of documents) {
    if (!isObject(document) || typeof document.day !== 'string') continue;
    const day = dayNumber(document.day);
    const offset = offsetOfTime(document.timestamp);
    if (day !== undefined && offset !== undefined && !known.has(day)) known.set(day, offset);
  }
  const nearestOf = new Map<number, number | undefined>();
  return (day) => {
    if (!nearestOf.has(day)) {
      let nearest: number | undefined;
      for (const one of known.keys()) {
        if (nearest === undefined || Math.abs(one - day) < Math.abs(nearest - day)) nearest = one;
      }
      nearestOf.set(day, nearest === undefined ? undefined : known.get(nearest));
    }
    return nearestOf.get(day);
  };
}
