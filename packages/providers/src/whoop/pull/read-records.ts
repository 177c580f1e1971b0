import { type TimeRange, type VendorApi, VendorError } from '../../cloud/index.js';
import { isObject } from '../../payload/index.js';

/** The most that the vendor gives in one page. */
const PAGE_SIZE = 25;
/** Far more than a window can have; a vendor that goes on beyond it sends something else than was asked. */
const MAX_PAGES = 400;

/**
 * All records of a collection that overlap the range, newest first.
 * @throws VendorError, `invalid_answer` when an answer has another shape or leads back to a page already read
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
    // What is taken for the end, or for an empty window, has what is stored of it deleted.
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
