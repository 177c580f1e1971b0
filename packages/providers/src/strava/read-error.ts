import type { ErrorReader, VendorFailure } from '../cloud/index.js';
import { isObject, type PayloadObject } from '../payload/index.js';
import { refusedUntilMs } from './rate-limit.js';

/** Resources whose refusal means that what a person granted is gone. */
const DEAD = ['RefreshToken', 'AuthorizationCode'];
/** The same in the refusal of a renewal. */
const DEAD_AT_RENEWAL = ['Athlete', 'AccessToken'];

/**
 * What an error of the vendor means, by what its list of errors names: the form that OAuth describes is never used. Without
 * a person's token a refusal of the application means wrong client credentials, which costs no one the connection. With one,
 * every 401 but a missing permission means that the token is dead, whatever resource the vendor names.
 */
export const readStravaError: ErrorReader = (status, body, headers, hasToken = false) => {
  if (status === 429) {
    if (headers.has('retry-after')) return undefined;
    return { code: 'rate_limited', retryAfterMs: refusedUntilMs(headers) };
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
  // A 400 about the application concerns a parameter.
  if (resource === 'Application' && (status !== 400 || /^client/.test(String(field)))) return { code: 'operator' };
  return undefined;
}
