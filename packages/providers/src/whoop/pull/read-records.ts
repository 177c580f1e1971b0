import { type TimeRange, type VendorApi, VendorError } from '../../cloud/index.js';
import { isObject } from '../../payload/index.js';
import { requireAtMost } from '../../rest/index.js';

/** Maximum page size at the vendor. */
const PAGE_SIZE = 25;
/** Maximum number of records, far more than a window of 30 days can have. */
const MAX_RECORDS = 1_000;
/**
 * Maximum number of pages. Less than the vendor's requests per minute, because a reading that needs more requests would
 * never end.
 */
const MAX_PAGES = MAX_RECORDS / PAGE_SIZE;

/**
 * Returns all records of a collection that overlap the range, newest first.
 * @throws VendorError, `invalid_answer` if the response has an unexpected shape, a page repeats, or the list never ends
 */
export async function readRecords(api: VendorApi, path: string, { startMs, endMs }: TimeRange): Promise<unknown[]> {
  const records: unknown[] = [];
  const seen = new Set<string>();
  let token: string | undefined;
  for (;;) {
    const response = await api.call({
      path,
      query: {
        start: new Date(startMs).toISOString(),
        end: new Date(endMs).toISOString(),
        limit: PAGE_SIZE,
        nextToken: token,
      },
    });
    // Treating the response as an empty window would delete stored data.
    if (!isObject(response) || !Array.isArray(response.records)) {
      throw new VendorError({ code: 'invalid_answer', reason: 'records' });
    }
    requireAtMost(MAX_RECORDS, records.length + response.records.length);
    for (const record of response.records) records.push(record);
    token = tokenOf(response.next_token);
    if (token === undefined) return records;
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
