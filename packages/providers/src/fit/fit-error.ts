/** Why the rest of a file is missing or uncertain. The messages before the damage are read. */
export type FitDamage = 'truncated' | 'checksum' | 'malformed';

/**
 * Why nothing of a FIT file is read.
 * - `not_fit`: the bytes are not a FIT file.
 * - `truncated`: the file ends before its first whole record.
 * - `checksum`: the bytes are not the bytes that were written, and hold no record.
 * - `malformed`: a message before the first record has no definition, or reaches beyond the end.
 * - `too_long`: the file has more records than any workout.
 */
export type FitFault = FitDamage | 'not_fit' | 'too_long';

/** A FIT file that cannot be read. Its message is the fault alone. */
export class FitError extends Error {
  override readonly name = 'FitError';

  constructor(readonly fault: FitFault) {
    super(fault);
  }
}
