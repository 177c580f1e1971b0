import { type VendorApi, VendorError, type VendorRequest } from '../../cloud/index.js';
import { isObject } from '../../payload/index.js';

/** Far more pages than a window can have; a vendor that goes on beyond it sends something else than was asked. */
const MAX_PAGES = 2000;
/** All of a window is held in memory together; the densest that is requested has a tenth of this. */
const MAX_ITEMS = 1_000_000;

/** Adds a page's token to the request that is repeated unchanged otherwise. */
type WithToken = (token: string | undefined) => VendorRequest;

/**
 * The items of all pages, page by page; an empty page may be followed by others.
 * @param list member of the answer that holds them
 * @throws VendorError, `invalid_answer` when an answer has another shape or leads back to a page already read
 */
export async function* readPages(api: VendorApi, list: string, request: WithToken): AsyncGenerator<readonly unknown[]> {
  const seen = new Set<string>();
  let token: string | undefined;
  let received = 0;
  do {
    const answer = await api.call(request(token));
    if (!isObject(answer)) throw new VendorError({ code: 'invalid_answer', reason: 'not_an_object' });
    // What is taken for the end, or for an empty window, has what is stored of it deleted.
    if (answer.error !== undefined) throw new VendorError({ code: 'invalid_answer', reason: 'error_in_answer' });
    const items = answer[list] ?? [];
    if (!Array.isArray(items)) throw new VendorError({ code: 'invalid_answer', reason: list });
    received += items.length;
    if (received > MAX_ITEMS) throw new VendorError({ code: 'invalid_answer', reason: 'too_many_points' });
    yield items;
    token = tokenOf(answer.nextPageToken);
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
