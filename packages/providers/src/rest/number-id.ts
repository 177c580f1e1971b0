import { idOf } from '../payload/index.js';

/** The digits of an id that is a 64-bit number, or of such digits as text; undefined for anything else. */
export function numberIdOf(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : idOf(value);
  return text !== undefined && /^\d{1,20}$/.test(text) ? text : undefined;
}
