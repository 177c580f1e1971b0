import { MS_PER_DAY, MS_PER_SECOND } from '@healthd/model';
import type { ErrorReader, RemainingRequests } from '../cloud/index.js';

/** One window in `100, 100;window=60, 10000;window=86400`. */
const WINDOW = /(\d+)\s*;\s*window\s*=\s*(\d+)/g;

/**
 * Returns the remaining requests and the end of the current window. The first number of the limit header is the current
 * window's limit. Undefined without rate-limit headers.
 */
export function remaining(headers: Headers): RemainingRequests | undefined {
  const limit = headers.get('x-ratelimit-limit') ?? '';
  const left = headers.get('x-ratelimit-remaining') ?? '';
  if (!/^\d+$/.test(left)) return undefined;
  const inForce = /^\d+/.exec(limit)?.[0];
  const window = [...limit.matchAll(WINDOW)].find(([, requests]) => requests === inForce);
  if (!window) return undefined;
  const seconds = Number(window[2]);
  const reset = headers.get('x-ratelimit-reset') ?? '';
  // Ignores a reset beyond the window.
  const resetSeconds = /^\d+$/.test(reset) && Number(reset) <= seconds ? Number(reset) : undefined;
  return { requests: Number(left), seconds, ...(resetSeconds !== undefined && { resetSeconds }) };
}

/**
 * Classifies an error beyond its status: a rate-limit response contains the seconds until its window ends.
 * `Retry-After` is undocumented, but has precedence if present.
 */
export const readWhoopError: ErrorReader = (status, _body, headers) => {
  if (status !== 429 || headers.has('retry-after')) return undefined;
  const seconds = Number(headers.get('x-ratelimit-reset') ?? Number.NaN);
  if (!(seconds > 0)) return undefined;
  return { code: 'rate_limited', retryAfterMs: Math.min(seconds * MS_PER_SECOND, MS_PER_DAY) };
};
