import type { RemainingRequests } from '../cloud/index.js';

/** One window in `100, 100;window=60, 10000;window=86400`. */
const WINDOW = /(\d+)\s*;\s*window\s*=\s*(\d+)/g;

/** What is left of the window in force and until when, whose limit is the first number of the header; undefined without such headers. */
export function remaining(headers: Headers): RemainingRequests | undefined {
  const limit = headers.get('x-ratelimit-limit') ?? '';
  const left = headers.get('x-ratelimit-remaining') ?? '';
  if (!/^\d+$/.test(left)) return undefined;
  const inForce = /^\d+/.exec(limit)?.[0];
  const window = [...limit.matchAll(WINDOW)].find(([, requests]) => requests === inForce);
  if (!window) return undefined;
  const seconds = Number(window[2]);
  const reset = headers.get('x-ratelimit-reset') ?? '';
  // A reset beyond the window is none.
  const resetSeconds = /^\d+$/.test(reset) && Number(reset) <= seconds ? Number(reset) : undefined;
  return { requests: Number(left), seconds, ...(resetSeconds !== undefined && { resetSeconds }) };
}
