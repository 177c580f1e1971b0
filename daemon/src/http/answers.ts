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

/** How validation errors look: `standard` as specified, `compat` as clients of the compatible API expect them. */
export type ErrorFormat = 'standard' | 'compat';

/** The status a failure is answered with. */
function statusOf(failure: Failure, format: ErrorFormat): number {
  return failure.code === 'unprocessable' && format === 'compat' ? 400 : STATUS[failure.code];
}

/** Seconds after which to come again, for failures that pass; a failure may know better. */
const RETRY_AFTER: Partial<Record<FailureCode, string>> = { unavailable: '10', storage_full: '60' };

/** Sends the outer shape of an expected failure. */
export function sendFailure(response: Response, failure: Failure, format: ErrorFormat): void {
  setFailure(response, failure, format);
  const problems = failure.options.problems;
  if (!problems) response.json({ detail: failure.message });
  else if (format === 'compat') response.json({ detail: compatText(problems), errors: problems });
  else response.json({ detail: problems });
}

/** Sends the answer for what no one expected: no detail leaves the service, the request id leads to the log. */
export function sendUnexpected(response: Response, requestId: string): void {
  response.status(500).json({ detail: 'Internal Server Error', request_id: requestId });
}

function setFailure(response: Response, failure: Failure, format: ErrorFormat): void {
  const retryAfter = RETRY_AFTER[failure.code];
  if (retryAfter !== undefined) response.set('Retry-After', retryAfter);
  response.status(statusOf(failure, format)).set(failure.options.headers ?? {});
}

/** True if the caller prefers a page to JSON, as browsers do. */
export function wantsPage(request: Request): boolean {
  return request.accepts(['json', 'html']) === 'html';
}

export function sendPage(response: Response, content: ResultPage): void {
  response.type('html').send(resultPage(content));
}

/**
 * Sends a page that says in plain words what failed, to the person in front of a browser.
 * @param failure undefined for an error that nobody expected
 */
export function sendFailurePage(response: Response, failure: Failure | undefined, requestId: string): void {
  if (failure) setFailure(response, failure, 'standard');
  else response.status(500);
  sendPage(response, { ...wordsOf(failure, response.get('Retry-After'), requestId), isGood: false });
}

function wordsOf(failure: Failure | undefined, seconds: string | undefined, requestId: string) {
  if (!failure) {
    const text = `The fault is on our side. Whoever runs the service finds its cause under the number ${requestId}.`;
    return { title: 'Something went wrong', text };
  }
  if (failure.code === 'too_many_requests') {
    const text = `Too many attempts came from your network. Wait ${seconds ?? 60} seconds.`;
    return { title: 'Please wait a moment', text };
  }
  if (failure.code === 'unavailable') return { title: 'Not available at the moment', text: failure.message };
  return { title: 'This did not work', text: failure.message };
}

/** A failure for rows of a validation error. */
export function validationFailure(problems: Problem[]): Failure {
  return new Failure('unprocessable', 'The request is not valid.', { problems });
}

/** Known shape of the compatible API: the first problem alone, as text, with its cause where there is one. */
function compatText(problems: Problem[]): string {
  const first = problems[0];
  if (!first) return 'Invalid request';
  const cause = first.ctx?.error;
  return typeof cause === 'string' ? `${first.msg}, ${cause} - ${cause}` : first.msg;
}
