import { dayNumber } from '@healthd/model';
import type { VendorApi } from '../../cloud/index.js';
import { isObject } from '../../payload/index.js';
import { offsetOfTime } from '../../rest/index.js';
import { SCOPES } from '../oauth.js';
import { type DayRange, readDays } from './read-documents.js';

/** Returns the UTC offset of the user's local time on each day. */
export type DayOffsets = (day: number) => number | undefined;

/**
 * Reads offsets from daily activity, whose timestamp has the day's offset; other documents have meaningless offsets.
 * Days without activity get the nearest day's offset. Without any consented activity no offset is known.
 * @throws VendorError
 */
export async function readDayOffsets(api: VendorApi, scopes: ReadonlySet<string>, days: DayRange): Promise<DayOffsets> {
  if (!scopes.has(SCOPES.daily)) return () => undefined;
  return dayOffsets(await readDays(api, 'daily_activity', days, { fields: 'day,timestamp' }));
}

/** Returns offsets from documents that were already read. */
export function dayOffsets(documents: readonly unknown[]): DayOffsets {
  const known = documents.flatMap((document): [number, number][] => {
    if (!isObject(document) || typeof document.day !== 'string') return [];
    const day = dayNumber(document.day);
    const offset = offsetOfTime(document.timestamp);
    return day === undefined || offset === undefined ? [] : [[day, offset]];
  });
  return (day) => {
    let nearest: [number, number] | undefined;
    for (const one of known) {
      if (nearest === undefined || Math.abs(one[0] - day) < Math.abs(nearest[0] - day)) nearest = one;
    }
    return nearest?.[1];
  };
}
