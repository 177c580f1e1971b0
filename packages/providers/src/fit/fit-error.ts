/**
 * Why a FIT file is not read.
 * - `not_fit`: something else.
 * - `truncated`: bytes are missing at its end.
 * - `checksum`: the bytes are not those that were written.
 * - `malformed`: a message has no definition, or reaches beyond the end.
 * - `too_long`: more than any workout has.
 */
export type FitFault = 'not_fit' | 'truncated' | 'checksum' | 'malformed' | 'too_long';

/** A FIT file that cannot be read. Its message is the fault alone. */
export class FitError extends Error {
  override readonly name = 'FitError';

  constructor(readonly fault: FitFault) {
    super(fault);
  }
}
