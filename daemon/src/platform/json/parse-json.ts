import { JsonThread } from './json-thread.js';
import { type ParsedJson, readJson } from './read-json.js';

export type { ParsedJson } from './read-json.js';

/** Size up to which a text is parsed on the main thread, which takes less than a millisecond. */
const PARSED_HERE_BYTES = 64 * 1024;

let thread: JsonThread | undefined;

/** Parses received text. Large text is parsed in a thread, so that it never delays other requests. */
export async function parseJson(text: Uint8Array): Promise<ParsedJson> {
  if (text.length <= PARSED_HERE_BYTES) return readJson(text);
  thread ??= new JsonThread();
  return thread.parse(text);
}
