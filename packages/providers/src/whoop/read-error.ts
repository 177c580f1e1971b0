import { MS_PER_DAY, MS_PER_SECOND } from '@healthd/model';
import type { ErrorReader } from '../cloud/index.js';

/**
 * What an error of the vendor means beyond its status: a refusal for too many requests names the seconds until its window
 * ends. `Retry-After` is not documented and wins where it comes.
 */
export const readWhoopError: ErrorReader = (status, _body, headers) => {
  if (status !== 429 || headers.has('retry-after')) return undefined;
  const seconds = Number(headers.get('x-ratelimit-reset') ?? Number.NaN);
  if (!(seconds > 0)) return undefined;
  return { code: 'rate_limited', retryAfterMs: Math.min(seconds * MS_PER_SECOND, MS_PER_DAY) };
};
