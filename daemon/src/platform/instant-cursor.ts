import { normalizeUuid } from '@healthd/schemas';
import { unprocessable } from './failures.js';

/** A place in a list that is ordered by an instant and, within it, by id. */
export interface InstantPosition {
  /** Since the epoch: exact, so that rows of one moment are on one page or the next and never on both. */
  micros: number;
  id: string;
}

/** A place as callers carry it. @param order names the order of the list, so that no other list takes the cursor */
export function encodeInstantCursor(order: string, { micros, id }: InstantPosition): string {
  return Buffer.from(`${order}.${micros}.${id}`).toString('base64url');
}

/** @throws Failure `unprocessable` on the parameter for a text that no page of this order gave */
export function decodeInstantCursor(order: string, text: string, parameter: 'cursor' | 'after'): InstantPosition {
  const [given, micros = '', id = '', ...more] = Buffer.from(text, 'base64url').toString('latin1').split('.');
  const uuid = normalizeUuid(id);
  const isInstant = /^\d{1,17}$/.test(micros) && Number.isSafeInteger(Number(micros));
  if (given !== order || !isInstant || uuid === undefined || more.length > 0) {
    throw unprocessable(['query', parameter], 'Invalid cursor format.');
  }
  return { micros: Number(micros), id: uuid };
}
