import { readErrorBody } from './answer-body.js';
import { rateLimitHintMs, unavailableHintMs } from './backoff.js';
import type { Answer } from './exchange.js';
import { retryAfterMs } from './retry-after.js';
import type { ErrorReader } from './vendor-api.js';
import { VendorError, type VendorErrorCode } from './vendor-error.js';

/** What an answer with an error status means: the vendor's own wording first, then the status. */
export function failureOfAnswer(answer: Answer, readError: ErrorReader | undefined): VendorError {
  const { status, headers } = answer;
  const read = readError?.(status, readErrorBody(answer));
  const code = read?.code ?? codeOfStatus(status);
  return new VendorError({
    ...read,
    code,
    status,
    retryAfterMs: read?.retryAfterMs ?? retryAfterMs(headers.get('retry-after'), Date.now()),
  });
}

/** The same error with the time at which trying again makes sense. */
export function withHint(error: VendorError): VendorError {
  if (error.retryAfterMs !== undefined || !error.passes) return error;
  const { code, status, reason, longestMs } = error;
  return new VendorError({ code, status, reason, longestMs, retryAfterMs: hintMs(code) });
}

function hintMs(code: VendorErrorCode): number | undefined {
  if (code === 'rate_limited') return rateLimitHintMs();
  return code === 'unavailable' ? unavailableHintMs() : undefined;
}

function codeOfStatus(status: number): VendorErrorCode {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'scope_missing';
  if (status === 404 || status === 410) return 'not_found';
  if (status === 409) return 'conflict';
  if (status === 429) return 'rate_limited';
  if (status === 408 || status >= 500) return 'unavailable';
  return 'invalid_request';
}
