import type { VendorResponse } from './exchange.js';
import { failureOfResponse } from './failure-of-response.js';
import { readErrorBody } from './response-body.js';
import type { ErrorReader } from './vendor-api.js';
import type { VendorError, VendorErrorCode } from './vendor-error.js';

/** Our codes by the error codes of RFC 6749 (5.2) and RFC 7009 (2.2.1). */
const CODES: Readonly<Record<string, VendorErrorCode>> = {
  invalid_grant: 'unauthorized',
  invalid_token: 'unauthorized',
  invalid_client: 'operator',
  unauthorized_client: 'operator',
  redirect_uri_mismatch: 'operator',
  unsupported_grant_type: 'operator',
  invalid_scope: 'operator',
  unsupported_token_type: 'operator',
  invalid_request: 'invalid_request',
  temporarily_unavailable: 'unavailable',
  server_error: 'unavailable',
};

/**
 * Classifies an error of a token endpoint. Only an invalid code or token is `unauthorized`: a wrong client secret or a
 * proxy's error page must not cost users their connections.
 */
export function oauthFailure(response: VendorResponse, readError: ErrorReader | undefined): VendorError {
  const read: ErrorReader = (status, body, headers) => {
    const word = errorWord(body);
    const known =
      readError?.(status, body, headers, false) ??
      (word === undefined ? undefined : { code: CODES[word], reason: word });
    if (known?.code !== undefined) return known;
    if (status === 429 || status === 408 || status >= 500) return known;
    return { ...known, code: word === undefined ? 'invalid_answer' : 'operator' };
  };
  return failureOfResponse(response, read, false);
}

/** True for an OAuth error, which some vendors report with status 200. */
export function hasOauthError(response: VendorResponse): boolean {
  return errorWord(readErrorBody(response)) !== undefined;
}

/**
 * Returns the error code only; descriptions are free text. An unknown word is retained only if it looks like a code.
 */
function errorWord(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined;
  const { error } = body;
  return typeof error === 'string' && /^[a-z_]{3,60}$/.test(error) ? error : undefined;
}
