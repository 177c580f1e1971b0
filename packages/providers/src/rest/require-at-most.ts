import { TOO_MANY_ITEMS, VendorError } from '../cloud/index.js';

/**
 * Bounds what one reading takes: all of it is read in one turn of the event loop.
 * @throws VendorError `invalid_answer` if there are more items than a window of the vendor's can have
 */
export function requireAtMost(most: number, count: number): void {
  if (count > most) throw new VendorError({ code: 'invalid_answer', reason: TOO_MANY_ITEMS });
}
