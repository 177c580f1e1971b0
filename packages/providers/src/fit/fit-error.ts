/** Reason why the rest of a file is missing or uncertain. The messages before the damage are read. */
export type FitDamage = 'truncated' | 'checksum' | 'malformed';

/**
 * Reasons why a FIT file is rejected.
 * - `not_fit`: the bytes are not a FIT file.
 * - `truncated`: the file ends before its first whole record.
 * - `checksum`: the bytes were changed and contain no record.
 * - `malformed`: a message before the first record has no definition, or extends past the end.
 * - `too_long`: the file has more records than any workout.
 */
export type FitFault = FitDamage | 'not_fit' | 'too_long';

/** A FIT file that cannot be read. The message contains only the fault. */
export class FitError extends Error {
  override readonly name = 'FitError';

  constructor(readonly fault: FitFault) {
    super(fault);
  }
}
