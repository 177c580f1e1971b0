import type { ExitCode } from './exit-codes.js';

/** Thrown by a command that wrote all it has to say and yet must not end with 0: a partial import, a failed check. */
export class Outcome extends Error {
  override readonly name = 'Outcome';

  constructor(readonly exitCode: ExitCode) {
    super(`exit ${exitCode}`);
  }
}
