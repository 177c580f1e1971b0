import type { VendorResponse } from './exchange.js';
import { VendorError } from './vendor-error.js';

/**
 * Returns the JSON of a successful response; undefined if it is empty.
 * @throws VendorError `unavailable` for cut JSON, which is transient; `invalid_answer` for anything else, e.g. HTML
 */
export function readBody({ bytes, headers, status }: VendorResponse): unknown {
  const text = bytes.toString('utf8');
  if (text.trim() === '') return undefined;
  const parsed = parseJson(text);
  if (parsed !== undefined) return parsed.value;
  const isJson = /[/+]json\b/i.test(headers.get('content-type') ?? '');
  throw new VendorError({ code: isJson ? 'unavailable' : 'invalid_answer', status, reason: 'unreadable_body' });
}

/** Returns the bytes of a successful response; undefined if it is empty. */
export function readBytes({ bytes }: VendorResponse): Uint8Array | undefined {
  return bytes.length === 0 ? undefined : bytes;
}

/** Returns the JSON of an error response; undefined if it is not JSON. */
export function readErrorBody({ bytes }: VendorResponse): unknown {
  return parseJson(bytes.toString('utf8'))?.value;
}

/** Discards the parser's error, because its message quotes the text. */
function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
