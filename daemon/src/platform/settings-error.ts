/** Thrown once for all invalid settings. The message has one line per setting and never contains a secret. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly code = 'wrong_settings';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}
