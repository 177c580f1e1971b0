import type { Problem } from '@healthd/schemas';
import type { Request, Response } from 'express';
import { Failure, type FailureCode } from '../platform/failures.js';
import { type ResultPage, resultPage } from './result-page.js';

const STATUS: Record<FailureCode, number> = {
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  bad_request: 400,
  unprocessable: 422,
  request_timeout: 408,
  payload_too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  not_implemented: 501,
  unavailable: 503,
  storage_full: 507,
};

/** Format of validation errors: `standard` as specified, `compat` as clients of the compatible API expect. */
export type ErrorFormat = 'standard' | 'compat';

/** Returns the response status of a failure. */
function statusOf(failure: Failure, format: ErrorFormat): number {
  return failure.code === 'unprocessable' && format === 'compat' ? 400 : STATUS[failure.code];
}

/** Default `Retry-After` in seconds for transient failures; a failure may override it. */
const RETRY_AFTER: Partial<Record<FailureCode, string>> = { unavailable: '10', storage_full: '60' };

/** Sends an expected failure. */
export function sendFailure(response: Response, failure: Failure, format: ErrorFormat): void {
  setFailure(response, failure, format);
  const problems = failure.options.problems;
  if (!problems) response.json({ detail: failure.message });
  else if (format === 'compat') response.json({ detail: compatText(problems), errors: problems });
  else response.json({ detail: problems });
}

/** Sends the response for an unexpected error. It contains no detail; the request ID leads to the log line. */
export function sendUnexpected(response: Response, requestId: string): void {
  response.status(500).json({ detail: 'Internal Server Error', request_id: requestId });
}

function setFailure(response: Response, failure: Failure, format: ErrorFormat): void {
  const retryAfter = RETRY_AFTER[failure.code];
  if (retryAfter !== undefined) response.set('Retry-After', retryAfter);
  response.status(statusOf(failure, format)).set(failure.options.headers ?? {});
}

/** True if the caller prefers HTML to JSON, as browsers do. */
export function wantsPage(request: Request): boolean {
  return request.accepts(['json', 'html']) === 'html';
}

export function sendPage(response: Response, content: ResultPage): void {
  response.type('html').send(resultPage(content));
}

/**
 * Sends a page that explains a failure to a browser user.
 * @param failure undefined for an unexpected error
 */
export function sendFailurePage(response: Response, failure: Failure | undefined, requestId: string): void {
  if (failure) setFailure(response, failure, 'standard');
  else response.status(500);
  sendPage(response, { ...wordsOf(failure, response.get('Retry-After'), requestId), isGood: false });
}

function wordsOf(failure: Failure | undefined, seconds: string | undefined, requestId: string) {
  if (!failure) {
    const text = `The service has an error. The operator can find the cause in the server log by the request ID ${requestId}.`;
    return { title: 'Something went wrong', text };
  }
  if (failure.code === 'too_many_requests') {
    const text = `Too many attempts came from your network. Wait ${seconds ?? 60} seconds.`;
    return { title: 'Please wait a moment', text };
  }
  if (failure.code === 'unavailable') return { title: 'Not available at the moment', text: failure.message };
  return { title: 'The request failed', text: failure.message };
}

/** Returns the failure for validation problems. */
export function validationFailure(problems: Problem[]): Failure {
  return new Failure('unprocessable', 'The request is not valid.', { problems });
}

/** Returns the error text of the compatible API: the first problem and its cause, if any. */
function compatText(problems: Problem[]): string {
  const first = problems[0];
  if (!first) return 'Invalid request';
  const cause = first.ctx?.error;
  return typeof cause === 'string' ? `${first.msg}, ${cause} - ${cause}` : first.msg;
}
