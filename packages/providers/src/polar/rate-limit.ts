import { MS_PER_MINUTE, MS_PER_SECOND, SECONDS_PER_DAY, SECONDS_PER_MINUTE } from '@healthd/model';
import type { ErrorReader, RemainingRequests } from '../cloud/index.js';

/** The windows in the order of the headers' numbers. */
const WINDOWS = [15 * SECONDS_PER_MINUTE, SECONDS_PER_DAY];

/** What is left of the quarter of an hour and of the day; a window of which the headers do not say both is left out. */
export function remaining(headers: Headers): RemainingRequests[] {
  return WINDOWS.flatMap((seconds, n) => {
    const limit = numberAt(headers.get('ratelimit-limit'), n);
    const usage = numberAt(headers.get('ratelimit-usage'), n);
    if (limit === undefined || usage === undefined) return [];
    const reset = numberAt(headers.get('ratelimit-reset'), n);
    // A reset beyond the window is none.
    const resetSeconds = reset !== undefined && reset <= seconds ? reset : undefined;
    return [{ requests: Math.max(0, limit - usage), seconds, ...(resetSeconds !== undefined && { resetSeconds }) }];
  });
}

const QUARTER_MS = 15 * MS_PER_MINUTE;

/** Reads an error. A rejection for too many requests ends with its window. */
export const readPolarError: ErrorReader = (status, _body, headers) => {
  if (status !== 429 || headers.has('retry-after')) return undefined;
  return { code: 'rate_limited', retryAfterMs: refusedForMs(headers) ?? QUARTER_MS };
};

/** Returns the time until the end of the longest used-up window, in milliseconds; undefined if no header states it. */
function refusedForMs(headers: Headers): number | undefined {
  const used = remaining(headers).filter(({ requests }) => requests === 0);
  const seconds = used.map((window) => window.resetSeconds ?? window.seconds);
  return seconds.length === 0 ? undefined : Math.max(...seconds) * MS_PER_SECOND;
}

function numberAt(list: string | null, n: number): number | undefined {
  const text = list?.split(',')[n]?.trim() ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
