import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import type { ErrorReader } from '../cloud/index.js';
import { isObject } from '../payload/index.js';

/** The reason of `operator` where the vendor refuses the key of the application. */
export const SUBSCRIPTION_KEY = 'subscription_key';

/** The reason of `operator` where the subscription of the application lacks a product. */
export const NOT_SUBSCRIBED = 'not_subscribed';

const KEY_REFUSED = /subscription key/i;
/** `Quota will be replenished in 2.07:15:00.`, days left out where there are none. */
const REPLENISHED = /call volume quota.*?replenished in (?:(\d+)\.)?(\d+):(\d\d):(\d\d)/is;
const VOLUME_SPENT = /out of call volume quota/i;
/** `Rate limit is exceeded. Try again in 12 seconds.` */
const TRY_AGAIN = /try again in (\d+) seconds/i;

/**
 * What an error means beyond its status. What stands before the vendor's API has sentences only: a quota that is spent is 403,
 * and a refused key of the application is 401, as a dead token is.
 */
export const readSuuntoError: ErrorReader = (status, body, headers) => {
  const text = isObject(body) && typeof body.message === 'string' ? body.message : '';
  if (status === 401 && KEY_REFUSED.test(text)) return { code: 'operator', reason: SUBSCRIPTION_KEY };
  if (status === 403 && VOLUME_SPENT.test(text)) return { code: 'rate_limited', ...waitOf(replenishedMs(text)) };
  // The person consented to everything: there is one scope.
  if (status === 403) return { code: 'operator', reason: NOT_SUBSCRIBED };
  if (status === 429 && !headers.has('retry-after')) {
    const seconds = TRY_AGAIN.exec(text)?.[1];
    return { code: 'rate_limited', ...waitOf(seconds === undefined ? undefined : Number(seconds) * MS_PER_SECOND) };
  }
  return undefined;
};

function waitOf(retryAfterMs: number | undefined): { retryAfterMs?: number } {
  // Nothing is put off for longer than a day, because the quota may have been raised meanwhile.
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
