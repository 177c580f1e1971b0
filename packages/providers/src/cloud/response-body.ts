import type { VendorResponse } from './exchange.js';
import { VendorError } from './vendor-error.js';

/**
 * The JSON of a good answer; undefined when it is empty.
 * @throws VendorError `unavailable` for JSON that is cut off, which passes; `invalid_answer` for anything else, e.g. HTML
 */
export function readBody({ bytes, headers, status }: VendorResponse): unknown {
  const text = bytes.toString('utf8');
  if (text.trim() === '') return undefined;
  const parsed = parseJson(text);
  if (parsed !== undefined) return parsed.value;
  const isJson = /[/+]json\b/i.test(headers.get('content-type') ?? '');
  throw new VendorError({ code: isJson ? 'unavailable' : 'invalid_answer', status, reason: 'unreadable_body' });
}

/** The bytes of a good answer; undefined when it is empty. */
export function readBytes({ bytes }: VendorResponse): Uint8Array | undefined {
  return bytes.length === 0 ? undefined : bytes;
}

/** The JSON of an answer that reports an error; undefined when it is anything else. */
export function readErrorBody({ bytes }: VendorResponse): unknown {
  return parseJson(bytes.toString('utf8'))?.value;
}

/** Keeps nothing of a parser's error: its message quotes the text. */
function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
