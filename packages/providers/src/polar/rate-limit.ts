import { MS_PER_MINUTE, MS_PER_SECOND, SECONDS_PER_DAY, SECONDS_PER_MINUTE } from '@healthd/model';
import type { ErrorReader, RemainingRequests } from '../cloud/index.js';

/** Window lengths in the order of the numbers in the headers. */
const WINDOWS = [15 * SECONDS_PER_MINUTE, SECONDS_PER_DAY];

/**
 * Returns the remaining requests of the 15-minute and the daily window. Omits a window whose limit or usage is missing.
 */
export function remaining(headers: Headers): RemainingRequests[] {
  return WINDOWS.flatMap((seconds, n) => {
    const limit = numberAt(headers.get('ratelimit-limit'), n);
    const usage = numberAt(headers.get('ratelimit-usage'), n);
    if (limit === undefined || usage === undefined) return [];
    const reset = numberAt(headers.get('ratelimit-reset'), n);
    // Ignores a reset time after the end of the window.
    const resetSeconds = reset !== undefined && reset <= seconds ? reset : undefined;
    return [{ requests: Math.max(0, limit - usage), seconds, ...(resetSeconds !== undefined && { resetSeconds }) }];
  });
}

const QUARTER_MS = 15 * MS_PER_MINUTE;

/** Reads an error. A rate-limited client may retry at the end of the window. */
export const readPolarError: ErrorReader = (status, _body, headers) => {
  if (status !== 429 || headers.has('retry-after')) return undefined;
  return { code: 'rate_limited', retryAfterMs: rejectedForMs(headers) ?? QUARTER_MS };
};

/**
 * Returns the time until the longest used-up window ends, in milliseconds; undefined if no header reports a used-up
 * window.
 */
function rejectedForMs(headers: Headers): number | undefined {
  const used = remaining(headers).filter(({ requests }) => requests === 0);
  const seconds = used.map((window) => window.resetSeconds ?? window.seconds);
  return seconds.length === 0 ? undefined : Math.max(...seconds) * MS_PER_SECOND;
}

function numberAt(list: string | null, n: number): number | undefined {
  const text = list?.split(',')[n]?.trim() ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
