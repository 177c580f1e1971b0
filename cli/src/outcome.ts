import type { ExitCode } from './exit-codes.js';

/** Thrown by a command that wrote its output but must not exit with 0, such as a partial import or a failed check. */
export class Outcome extends Error {
  override readonly name = 'Outcome';

  constructor(readonly exitCode: ExitCode) {
    super(`exit ${exitCode}`);
  }
}
