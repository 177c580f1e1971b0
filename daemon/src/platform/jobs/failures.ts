/** What can go wrong with a job, as codes: they are in the job store and in logs, so they never carry data. */
export type JobFailureCode =
  | 'job_payload_invalid'
  | 'job_registry_invalid'
  | 'job_store_unavailable'
  | 'job_too_long'
  | 'job_run_lock_lost'
  | 'job_worker_lost'
  | 'job_process_stopping'
  | 'job_handler_failed';

/** A failure of the queue itself. The message is static; names of jobs and numbers of ours may follow in `detail`. */
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

/** A thrown value's own stable code when it has one; never its message, which may quote data. */
export function failureCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'job_handler_failed';
}
