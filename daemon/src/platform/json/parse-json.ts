import { JsonThread } from './json-thread.js';
import { type ParsedJson, readJson } from './read-json.js';

export type { ParsedJson } from './read-json.js';

/** Parsing this much takes less than a millisecond. */
const PARSED_HERE_BYTES = 64 * 1024;

let thread: JsonThread | undefined;

/** Parses what was received, off the main thread where it is large, so that other requests never wait for it. */
export async function parseJson(text: Uint8Array): Promise<ParsedJson> {
  if (text.length <= PARSED_HERE_BYTES) return readJson(text);
  thread ??= new JsonThread();
  return thread.parse(text);
}
