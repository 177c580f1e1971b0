import { idOf } from '../payload/index.js';

/** Returns the digits of a 64-bit numeric id, from a number or text; undefined for other values. */
export function numberIdOf(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : idOf(value);
  return text !== undefined && /^\d{1,20}$/.test(text) ? text : undefined;
}
