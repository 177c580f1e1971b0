import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import { type ErrorReader, type VendorApi, VendorError, type VendorRequest } from '../cloud/index.js';
import { isObject } from '../payload/index.js';
import { WORKOUTS } from './pull/read-workouts.js';

/** Reason of `operator` if the vendor rejects the application's key. */
const SUBSCRIPTION_KEY = 'subscription_key';

/** Reason of `operator` if the application's subscription lacks a product. */
export const NOT_SUBSCRIBED = 'not_subscribed';

const KEY_REJECTED = /subscription key/i;
/** `Quota will be replenished in 2.07:15:00.`, where days are optional. */
const REPLENISHED = /call volume quota.*?replenished in (?:(\d+)\.)?(\d+):(\d\d):(\d\d)/is;
const VOLUME_SPENT = /out of call volume quota/i;
/** `Rate limit is exceeded. Try again in 12 seconds.` */
const TRY_AGAIN = /try again in (\d+) seconds/i;

/**
 * Classifies an error beyond its status. The vendor's API gateway sends only sentences: an exhausted quota is 403, and
 * a rejected application key is 401, like an invalid token.
 */
export const readSuuntoError: ErrorReader = (status, body, headers) => {
  const text = isObject(body) && typeof body.message === 'string' ? body.message : '';
  if (status === 401 && KEY_REJECTED.test(text)) return { code: 'operator', reason: SUBSCRIPTION_KEY };
  if (status === 403 && VOLUME_SPENT.test(text)) return { code: 'rate_limited', ...waitOf(replenishedMs(text)) };
  // Does not report a missing scope: the vendor has only one scope, so every user granted it.
  if (status === 403) return { code: 'operator', reason: NOT_SUBSCRIBED };
  if (status === 429 && !headers.has('retry-after')) {
    const seconds = TRY_AGAIN.exec(text)?.[1];
    return { code: 'rate_limited', ...waitOf(seconds === undefined ? undefined : Number(seconds) * MS_PER_SECOND) };
  }
  return undefined;
};

function waitOf(retryAfterMs: number | undefined): { retryAfterMs?: number } {
  // Limits the delay to a day, because the quota may be raised before a longer delay ends.
  return retryAfterMs === undefined ? {} : { retryAfterMs: Math.min(retryAfterMs, MS_PER_DAY) };
}

function replenishedMs(text: string): number | undefined {
  const found = REPLENISHED.exec(text);
  if (!found) return undefined;
  const [days, hours, minutes, seconds] = found.slice(1).map((part) => Number(part ?? 0));
  return (
    (days ?? 0) * MS_PER_DAY +
    (hours ?? 0) * MS_PER_HOUR +
    (minutes ?? 0) * MS_PER_MINUTE +
    (seconds ?? 0) * MS_PER_SECOND
  );
}

/** Requests that succeed with a valid token and key. Each belongs to a different product of the vendor's portal. */
const PROBES: readonly Pick<VendorRequest, 'path' | 'query'>[] = [
  { path: WORKOUTS, query: { limit: 1 } },
  { path: '/247samples/recovery', query: { from: 0, to: 0 } },
];

/**
 * Classifies a rejection of one data type. The types are products that the operator subscribes to in the vendor's
 * portal. The vendor responds with 401, 403 or 404 for a missing subscription, as for an invalid token, a wrong key or
 * an unknown URL. Therefore requests other products with the same token and key.
 * @returns `scope_missing`, which skips the type, if another product responds. The original error if the vendor rejects
 *   all products. Another error if a request fails for a different reason.
 */
export async function asProductGap(error: unknown, api: VendorApi, path: string): Promise<unknown> {
  if (!(error instanceof VendorError) || !mayBeGap(error)) return error;
  for (const probe of PROBES.filter((one) => one.path !== path)) {
    try {
      await api.call(probe);
      return new VendorError({ code: 'scope_missing', status: error.status, reason: NOT_SUBSCRIBED });
    } catch (cause) {
      if (!(cause instanceof VendorError) || !mayBeGap(cause)) return cause;
    }
  }
  return error;
}

function mayBeGap({ code, status, reason }: VendorError): boolean {
  if (status === undefined) return false;
  const isOperators = code === 'operator' && (reason === SUBSCRIPTION_KEY || reason === NOT_SUBSCRIBED);
  return code === 'unauthorized' || code === 'not_found' || isOperators;
}
