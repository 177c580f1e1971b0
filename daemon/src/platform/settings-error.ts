/** Thrown once with every wrong setting; the message has one line for each and never holds a secret. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly code = 'wrong_settings';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}
