import { fromDayNumber, MS_PER_DAY } from '@healthd/model';
import type { TimeRange, VendorApi } from '../../cloud/index.js';

export const USERS = '/v3/users';
/** The vendor takes 28 days, the last one included. */
export const RANGE_DAYS = 27;

/** The vendor's answer about some dates, of which both belong to what is asked for; undefined without content. @throws VendorError */
export function askRange(
  api: VendorApi,
  path: string,
  { startMs, endMs }: TimeRange,
  query: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const from = fromDayNumber(Math.floor(startMs / MS_PER_DAY));
  const to = fromDayNumber(Math.ceil(endMs / MS_PER_DAY) - 1);
  return api.call({ path: `${USERS}/${path}`, query: { from, to, ...query } });
}
