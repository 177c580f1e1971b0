import type { VendorResponse } from './exchange.js';
import { readErrorBody } from './response-body.js';
import { retryAfterMs } from './retry-after.js';
import type { ErrorReader } from './vendor-api.js';
import { VendorError, type VendorErrorCode } from './vendor-error.js';

/** Classifies an error response by the vendor's own code first, then by its status. */
export function failureOfResponse(
  response: VendorResponse,
  readError: ErrorReader | undefined,
  hasToken: boolean,
): VendorError {
  const { status, headers } = response;
  const read = readError?.(status, readErrorBody(response), headers, hasToken);
  const code = read?.code ?? codeOfStatus(status);
  return new VendorError({
    ...read,
    code,
    status,
    retryAfterMs: read?.retryAfterMs ?? retryAfterMs(headers.get('retry-after'), Date.now()),
  });
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
