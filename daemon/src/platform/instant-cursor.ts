import { normalizeUuid } from '@healthd/schemas';
import { unprocessable } from './failures.js';

/** A position in a list that is sorted by time and ID. */
export interface InstantPosition {
  /** Microseconds since the epoch. Exact, so that rows with equal times never appear on two pages. */
  micros: number;
  id: string;
}

/** Encodes a position as a cursor. @param order name of the list's order, so that other lists reject the cursor */
export function encodeInstantCursor(order: string, { micros, id }: InstantPosition): string {
  return Buffer.from(`${order}.${micros}.${id}`).toString('base64url');
}

/** Decodes a cursor of this order. @throws Failure `unprocessable` on the parameter for any other text */
export function decodeInstantCursor(order: string, text: string, parameter: 'cursor' | 'after'): InstantPosition {
  const [cursorOrder, micros = '', id = '', ...more] = Buffer.from(text, 'base64url').toString('latin1').split('.');
  const uuid = normalizeUuid(id);
  const isInstant = /^\d{1,17}$/.test(micros) && Number.isSafeInteger(Number(micros));
  if (cursorOrder !== order || !isInstant || uuid === undefined || more.length > 0) {
    throw unprocessable(['query', parameter], 'Invalid cursor format.');
  }
  return { micros: Number(micros), id: uuid };
}
