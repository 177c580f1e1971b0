import { type VendorApi, VendorError, type VendorRequest } from '../../cloud/index.js';
import { isObject } from '../../payload/index.js';

/**
 * Maximum number of pages, far more than a window can have. A vendor that exceeds the limit returns data that was not
 * requested.
 */
const MAX_PAGES = 2000;
/** Maximum number of items in memory for a window; ten times the densest window. */
const MAX_ITEMS = 1_000_000;

/** Adds a page token to an otherwise unchanged request. */
type WithToken = (token: string | undefined) => VendorRequest;

/**
 * Reads all pages, page by page. A page with items may follow an empty page.
 * @param list member of the response with the items
 * @throws VendorError `invalid_answer` if a response has an unexpected shape, a page token repeats, or there are too
 *   many pages or items
 */
export async function* readPages(api: VendorApi, list: string, request: WithToken): AsyncGenerator<readonly unknown[]> {
  const seen = new Set<string>();
  let token: string | undefined;
  let received = 0;
  do {
    const response = await api.call(request(token));
    if (!isObject(response)) throw new VendorError({ code: 'invalid_answer', reason: 'not_an_object' });
    // An error must not count as an empty window, because stored data of the window would be deleted.
    if (response.error !== undefined) throw new VendorError({ code: 'invalid_answer', reason: 'error_in_answer' });
    const items = response[list] ?? [];
    if (!Array.isArray(items)) throw new VendorError({ code: 'invalid_answer', reason: list });
    received += items.length;
    if (received > MAX_ITEMS) throw new VendorError({ code: 'invalid_answer', reason: 'too_many_points' });
    yield items;
    token = tokenOf(response.nextPageToken);
    if (token !== undefined && (seen.has(token) || seen.size >= MAX_PAGES)) {
      throw new VendorError({ code: 'invalid_answer', reason: 'repeated_page_token' });
    }
    seen.add(token ?? '');
  } while (token !== undefined);
}

function tokenOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw new VendorError({ code: 'invalid_answer', reason: 'nextPageToken' });
}
