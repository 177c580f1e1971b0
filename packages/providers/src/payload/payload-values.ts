/** An object of a payload, its members not looked at yet. */
export type PayloadObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is PayloadObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Halves of characters and control characters, NUL above all: no text has a use for them, and Postgres refuses some. */
const UNSTORABLE = /\p{Surrogate}|\p{Cc}/gu;
const MAX_TEXT = 200;

/**
 * A text as it can be stored: without control and half characters, blanks at its ends removed, cut to `limit` characters;
 * undefined when nothing is left or it is no text.
 */
export function textOf(value: unknown, limit = MAX_TEXT): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const clean = value.replace(UNSTORABLE, ' ').trim();
  return clean === '' ? undefined : clean.slice(0, limit).replace(UNSTORABLE, '');
}

const MAX_ID = 255;

/** An id that is short enough to be an identity; one that is longer is no id of any known client and is left out. */
export function idOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= MAX_ID ? textOf(value, MAX_ID) : undefined;
}

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/** A finite number, also one written as text; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
