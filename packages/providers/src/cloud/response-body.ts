import type { VendorResponse } from './exchange.js';
import { VendorError } from './vendor-error.js';

/**
 * The JSON of a good answer; undefined when it is empty.
 * @throws VendorError `unavailable` for JSON that is cut off, which passes; `invalid_answer` for anything else, e.g. HTML
 */
export function readBody({ text, headers, status }: VendorResponse): unknown {
  if (text.trim() === '') return undefined;
  const parsed = parseJson(text);
  if (parsed !== undefined) return parsed.value;
  const isJson = /[/+]json\b/i.test(headers.get('content-type') ?? '');
  throw new VendorError({ code: isJson ? 'unavailable' : 'invalid_answer', status, reason: 'unreadable_body' });
}

/** The JSON of an answer that reports an error; undefined when it is anything else. */
export function readErrorBody({ text }: VendorResponse): unknown {
  return parseJson(text)?.value;
}

/** Keeps nothing of a parser's error: its message quotes the text. */
function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
