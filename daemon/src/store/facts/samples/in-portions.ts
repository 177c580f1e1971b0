/**
 * Rows per portion. A portion takes less than a millisecond. Loops this short run in the function's optimized code from
 * the next call on. A longer loop would be compiled a second time, to replace the code of the running call.
 */
const ROWS_PER_PORTION = 1_024;

/**
 * Calls a loop over `length` rows for one portion after the other, and yields to the event loop before each portion. The
 * loop is a function without a yield, because the compiler needs several times as long for a generator with several
 * loops.
 */
export function* inPortions(length: number, loop: (from: number, to: number) => void): Generator<void, void> {
  for (let from = 0; from < length; from += ROWS_PER_PORTION) {
    yield;
    loop(from, Math.min(from + ROWS_PER_PORTION, length));
  }
}
