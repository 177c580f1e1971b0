import { type TimeRange, type VendorApi, VendorError } from '../../cloud/index.js';
import { isObject } from '../../payload/index.js';

/** Maximum page size at the vendor. */
const PAGE_SIZE = 25;
/** Far more pages than a window can have. A vendor that sends more does not send the requested window. */
const MAX_PAGES = 400;

/**
 * Returns all records of a collection that overlap the range, newest first.
 * @throws VendorError, `invalid_answer` if the response has another shape or a page repeats
 */
export async function readRecords(api: VendorApi, path: string, { startMs, endMs }: TimeRange): Promise<unknown[]> {
  const records: unknown[] = [];
  const seen = new Set<string>();
  let token: string | undefined;
  do {
    const answer = await api.call({
      path,
      query: {
        start: new Date(startMs).toISOString(),
        end: new Date(endMs).toISOString(),
        limit: PAGE_SIZE,
        nextToken: token,
      },
    });
    // Treating the response as an empty window would delete stored data.
    if (!isObject(answer) || !Array.isArray(answer.records)) {
      throw new VendorError({ code: 'invalid_answer', reason: 'records' });
    }
    for (const record of answer.records) records.push(record);
    token = tokenOf(answer.next_token);
    if (token !== undefined && (seen.has(token) || seen.size >= MAX_PAGES)) {
      throw new VendorError({ code: 'invalid_answer', reason: 'repeated_page_token' });
    }
    seen.add(token ?? '');
  } while (token !== undefined);
  return records;
}

function tokenOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw new VendorError({ code: 'invalid_answer', reason: 'next_token' });
}
