/** Codes of job failures. They are stored and logged, so they never contain data. */
export type JobFailureCode =
  | 'job_payload_invalid'
  | 'job_registry_invalid'
  | 'job_store_unavailable'
  | 'job_too_long'
  | 'job_run_lock_lost'
  | 'job_worker_lost'
  | 'job_process_stopping'
  | 'job_handler_failed';

/** A failure of the queue itself. The message is static; `detail` may contain job names and our own numbers. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
  readonly code: JobFailureCode;
  readonly detail: string | undefined;

  constructor(code: JobFailureCode, message: string, detail?: string, options?: ErrorOptions) {
    super(detail === undefined ? message : `${message}: ${detail}`, options);
    this.code = code;
    this.detail = detail;
  }
}

/**
 * Returns the stable code of a thrown value; `job_handler_failed` if it has no code. Never returns the message, which
 * may quote data.
 */
export function failureCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'job_handler_failed';
}
