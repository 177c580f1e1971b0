/** Reasons why the embedded Postgres cannot be used. */
export type EmbeddedDatabaseProblem =
  | 'data_directory_in_use'
  | 'data_directory_unreachable'
  | 'account_missing'
  | 'platform_unsupported'
  | 'postgres_major_mismatch'
  | 'initialisation_failed'
  | 'start_failed'
  | 'unresponsive';

/** An expected failure of the embedded Postgres. The message is one line for the operator. */
export class EmbeddedDatabaseError extends Error {
  override readonly name = 'EmbeddedDatabaseError';

  constructor(
    readonly code: EmbeddedDatabaseProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
