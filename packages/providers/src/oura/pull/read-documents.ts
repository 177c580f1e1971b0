import { fromDayNumber, MS_PER_DAY } from '@healthd/model';
import { type TimeRange, type VendorApi, VendorError } from '../../cloud/index.js';
import { isObject } from '../../payload/index.js';
import { requireAtMost } from '../../rest/index.js';

/** Maximum number of documents, far more than a window of a month can have. */
const MAX_DOCUMENTS = 2_000;
/**
 * Maximum number of pages. Less than the vendor's requests per minute, because a reading that needs more requests would
 * never end.
 */
const MAX_PAGES = 200;

/** Days, counted from 1970; the end is excluded. */
export interface DayRange {
  firstDay: number;
  endDay: number;
}

/** Returns the days that instants of a range can belong to, in any time zone. */
export function daysAround({ startMs, endMs }: TimeRange): DayRange {
  return { firstDay: Math.floor(startMs / MS_PER_DAY) - 1, endDay: Math.ceil(endMs / MS_PER_DAY) + 1 };
}

/**
 * Reads the documents of these days and of adjacent ones. Collections differ on whether the named days are included, so
 * the request names one more day on both sides.
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
 * Reads all items of a collection, page by page.
 * @param most maximum number of items in the collection
 * @throws VendorError, `invalid_answer` if the response has an unexpected shape, a page repeats, or the list never ends
 */
export async function readPages(
  api: VendorApi,
  collection: string,
  query: Readonly<Record<string, string>>,
  most = MAX_DOCUMENTS,
): Promise<unknown[]> {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let token: string | undefined;
  for (;;) {
    const response = await api.call({
      path: `/v2/usercollection/${collection}`,
      query: { ...query, next_token: token },
    });
    // Treating the response as an empty window would delete stored data.
    if (!isObject(response) || !Array.isArray(response.data)) {
      throw new VendorError({ code: 'invalid_answer', reason: 'data' });
    }
    requireAtMost(most, items.length + response.data.length);
    for (const item of response.data) items.push(item);
    token = tokenOf(response.next_token);
    if (token === undefined) return items;
    if (seen.has(token)) throw new VendorError({ code: 'invalid_answer', reason: 'repeated_page_token' });
    seen.add(token);
    requireAtMost(MAX_PAGES, seen.size);
  }
}

function tokenOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw new VendorError({ code: 'invalid_answer', reason: 'next_token' });
}
