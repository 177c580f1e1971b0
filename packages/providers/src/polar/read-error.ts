import { MS_PER_MINUTE } from '@healthd/model';
import type { ErrorReader } from '../cloud/index.js';
import { refusedForMs } from './rate-limit.js';

const QUARTER_MS = 15 * MS_PER_MINUTE;

/** What an error of the vendor means beyond its status: a refusal for too many requests ends with its window. */
export const readPolarError: ErrorReader = (status, _body, headers) => {
  if (status !== 429 || headers.has('retry-after')) return undefined;
  return { code: 'rate_limited', retryAfterMs: refusedForMs(headers) ?? QUARTER_MS };
};
