import type { ErrorReader, VendorFailure } from '../cloud/index.js';
import { isObject, type PayloadObject } from '../payload/index.js';
import { rejectedUntilMs } from './rate-limit.js';

/** Resources whose rejection means a revoked grant. */
const DEAD = ['RefreshToken', 'AuthorizationCode'];
/** Resources whose rejection during renewal means a revoked grant. */
const DEAD_AT_RENEWAL = ['Athlete', 'AccessToken'];

/**
 * Classifies an error by the resource in the vendor's error list; the vendor never uses the OAuth format. Without a
 * user token, a rejected application means wrong client credentials and affects no connection. With a token, every 401
 * except a missing permission means an invalid token, whatever resource the vendor names.
 */
export const readStravaError: ErrorReader = (status, body, headers, hasToken = false) => {
  if (status === 429) {
    if (headers.has('retry-after')) return undefined;
    return { code: 'rate_limited', retryAfterMs: rejectedUntilMs(headers) };
  }
  if (status !== 400 && status !== 401 && status !== 403) return undefined;
  for (const one of isObject(body) && Array.isArray(body.errors) ? body.errors : []) {
    const failure = isObject(one) ? meaningOf(status, one, hasToken) : undefined;
    if (failure) return failure;
  }
  return undefined;
};

function meaningOf(
  status: number,
  { resource, field, code }: PayloadObject,
  hasToken: boolean,
): Partial<VendorFailure> | undefined {
  if (DEAD.includes(String(resource))) return { code: 'unauthorized', reason: String(resource) };
  if (code === 'missing' && typeof field === 'string' && field.endsWith('_permission'))
    return { code: 'scope_missing' };
  if (hasToken && status === 401) return { code: 'unauthorized' };
  if (!hasToken && status !== 403 && DEAD_AT_RENEWAL.includes(String(resource))) {
    return { code: 'unauthorized', reason: String(resource) };
  }
  // A 400 is the operator's error only if it names a field of the client. Otherwise it concerns a parameter.
  if (resource === 'Application' && (status !== 400 || /^client/.test(String(field)))) return { code: 'operator' };
  return undefined;
}
