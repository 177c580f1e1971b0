/** An object of a payload with unchecked members. */
export type PayloadObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is PayloadObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Surrogates and control characters, including NUL. Texts do not need them, and Postgres rejects some. */
const UNSTORABLE = /\p{Surrogate}|\p{Cc}/gu;
const MAX_TEXT = 200;

/**
 * Cleans a text for storage: removes control characters and lone surrogates, trims it, and cuts it to `limit`
 * characters. Undefined if no character remains or the value is not a text.
 */
export function textOf(value: unknown, limit = MAX_TEXT): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const clean = value.replace(UNSTORABLE, ' ').trim();
  return clean === '' ? undefined : clean.slice(0, limit).replace(UNSTORABLE, '');
}

const MAX_ID = 255;

/** Returns an id of limited length. Drops longer ids, because no known client sends longer ids. */
export function idOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= MAX_ID ? textOf(value, MAX_ID) : undefined;
}

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/** Returns a finite number, also from text; undefined for other values. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
