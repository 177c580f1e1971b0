import type { Problem } from '@healthd/schemas';

/** Stable codes of expected failures. Only `http/` maps them to statuses. */
export type FailureCode =
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'gone'
  | 'bad_request'
  | 'unprocessable'
  | 'request_timeout'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'too_many_requests'
  | 'not_implemented'
  | 'unavailable'
  | 'storage_full';

/**
 * An expected failure. `message` is a static text for the caller. It names the object and place of the failure, never a
 * secret or a health value. The original error is the `cause`, for the log.
 */
export class Failure extends Error {
  override readonly name = 'Failure';

  constructor(
    readonly code: FailureCode,
    message: string,
    readonly options: { cause?: unknown; headers?: Record<string, string>; problems?: Problem[] } = {},
  ) {
    super(message, { cause: options.cause });
  }
}

/** Returns a failure for a well-formed request with an unacceptable value at `loc`. */
export function unprocessable(loc: (string | number)[], message: string, input?: unknown): Failure {
  const problem: Problem = { loc, msg: message, type: 'value_error' };
  if (input !== undefined) problem.input = input;
  return new Failure('unprocessable', message, { problems: [problem] });
}
