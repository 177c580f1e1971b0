/** Rows per portion. Short portions let the next call use optimized code, so that V8 rarely replaces a running loop. */
const ROWS_PER_PORTION = 1_024;

/**
 * Calls a loop over `length` rows for one portion after the other, and yields to the event loop before each portion. The
 * loop is a separate function, so that V8 does not optimize it together with all other loops of a generator.
 */
export function* inPortions(length: number, loop: (from: number, to: number) => void): Generator<void, void> {
  for (let from = 0; from < length; from += ROWS_PER_PORTION) {
    yield;
    loop(from, Math.min(from + ROWS_PER_PORTION, length));
  }
}
