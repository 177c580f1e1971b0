import type { Envelope } from '@healthd/schemas';
import { StreamingResponse } from '../binding.js';

/** Maximum number of items in a page that is sent in one chunk. */
const SMALL_PAGE = 1_000;
const ITEMS_PER_CHUNK = 500;

/**
 * Returns a response that sends a large page in chunks, so that serializing it never blocks other requests. Passes on a
 * series that is already JSON text in chunks.
 */
export function streamed<T>(page: Envelope<T> | AsyncIterable<string>): Envelope<T> | StreamingResponse {
  if (Symbol.asyncIterator in page) return new StreamingResponse(page);
  return page.data.length <= SMALL_PAGE ? page : new StreamingResponse(chunksOf(page));
}

async function* chunksOf<T>({ data, ...rest }: Envelope<T>): AsyncGenerator<string> {
  let opening = '{"data":[';
  for (let from = 0; from < data.length; from += ITEMS_PER_CHUNK) {
    yield opening + JSON.stringify(data.slice(from, from + ITEMS_PER_CHUNK)).slice(1, -1);
    opening = ',';
    await new Promise(setImmediate);
  }
  yield `],${JSON.stringify(rest).slice(1)}`;
}
