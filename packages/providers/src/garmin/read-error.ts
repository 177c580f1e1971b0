import { MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import type { ErrorReader } from '../cloud/index.js';
import { isObject } from '../payload/index.js';

const TOO_EARLY = /before (?:the )?min(?:imum)? start time(?: of)?:?\s*(\S+)?/i;
const NOT_ENABLED = /endpoint not enabled/i;
/** Numbers from this limit on are milliseconds. */
const MILLISECONDS_FROM = 1e11;

/**
 * Classifies an error beyond its status. The vendor rejects with 400 and a sentence instead of a code. Unknown
 * sentences are classified by status.
 */
export const readGarminError: ErrorReader = (status, body, headers) => {
  if (status === 412) return { code: 'scope_missing', reason: 'history_not_granted' };
  // The vendor's limit is per minute, and the response contains no reset time.
  if (status === 429)
    return headers.has('retry-after') ? undefined : { code: 'rate_limited', retryAfterMs: MS_PER_MINUTE };
  if (status !== 400) return undefined;
  const text = messageOf(body);
  if (NOT_ENABLED.test(text)) return { code: 'operator', reason: 'endpoint_not_enabled' };
  const early = TOO_EARLY.exec(text);
  if (!early) return undefined;
  const earliestMs = instantOf(early[1]);
  return { code: 'range_too_early', ...(earliestMs !== undefined && { earliestMs }) };
};

function messageOf(body: unknown): string {
  if (!isObject(body)) return '';
  return [body.errorMessage, body.message, body.error_description].filter((text) => typeof text === 'string').join(' ');
}

/** Parses ISO 8601, or a number of seconds or milliseconds; rounds up to a whole second. */
function instantOf(text: string | undefined): number | undefined {
  const plain = text?.replace(/[.,;]+$/, '') ?? '';
  const number = /^\d{9,13}$/.test(plain) ? Number(plain) : Number.NaN;
  const ms = Number.isNaN(number) ? Date.parse(plain) : number < MILLISECONDS_FROM ? number * MS_PER_SECOND : number;
  return Number.isNaN(ms) ? undefined : Math.ceil(ms / MS_PER_SECOND) * MS_PER_SECOND;
}
