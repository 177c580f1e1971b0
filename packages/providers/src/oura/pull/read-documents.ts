import { fromDayNumber, MS_PER_DAY } from '@healthd/model';
import { type TimeRange, type VendorApi, VendorError } from '../../cloud/index.js';
import { isObject } from '../../payload/index.js';

/** Far more than a window can have; a vendor that goes on beyond it sends something else than was asked. */
const MAX_PAGES = 400;

/** Days, counted from 1970; the end excluded. */
export interface DayRange {
  firstDay: number;
  endDay: number;
}

/** The days that instants of a range can belong to, on any clock. */
export function daysAround({ startMs, endMs }: TimeRange): DayRange {
  return { firstDay: Math.floor(startMs / MS_PER_DAY) - 1, endDay: Math.ceil(endMs / MS_PER_DAY) + 1 };
}

/**
 * The documents of some days and of others beside them: whether the days that are named belong to what is asked for differs
 * from collection to collection, so a day more is named on both sides.
 * @throws VendorError
 */
export function readDays(
  api: VendorApi,
  collection: string,
  { firstDay, endDay }: DayRange,
  query: Readonly<Record<string, string>> = {},
): Promise<unknown[]> {
  const dates = { start_date: fromDayNumber(firstDay - 1), end_date: fromDayNumber(endDay + 1) };
  return readPages(api, collection, { ...dates, ...query });
}

/**
 * All items of a collection, page by page.
 * @throws VendorError, `invalid_answer` when an answer has another shape or leads back to a page already read
 */
export async function readPages(
  api: VendorApi,
  collection: string,
  query: Readonly<Record<string, string>>,
): Promise<unknown[]> {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let token: string | undefined;
  do {
    const answer = await api.call({ path: `/v2/usercollection/${collection}`, query: { ...query, next_token: token } });
    // What is taken for the end, or for an empty window, has what is stored of it deleted.
    if (!isObject(answer) || !Array.isArray(answer.data)) {
      throw new VendorError({ code: 'invalid_answer', reason: 'data' });
    }
    for (const item of answer.data) items.push(item);
    token = tokenOf(answer.next_token);
    if (token !== undefined && (seen.has(token) || seen.size >= MAX_PAGES)) {
      throw new VendorError({ code: 'invalid_answer', reason: 'repeated_page_token' });
    }
    seen.add(token ?? '');
  } while (token !== undefined);
  return items;
}

function tokenOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw new VendorError({ code: 'invalid_answer', reason: 'next_token' });
}
