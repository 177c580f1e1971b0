/** A failed backup or restore; the message is for the terminal user. */
export class BackupError extends Error {
  override readonly name = 'BackupError';

  constructor(
    readonly code:
      | 'file_exists'
      | 'not_written'
      | 'database_lost'
      | 'spool_unreadable'
      | 'not_a_backup'
      | 'newer_backup'
      | 'target_in_use'
      | 'damaged',
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
