import { MS_PER_HOUR, MS_PER_MINUTE, type ProviderId } from '@healthd/model';
import { OWN_QUOTA, type VendorError, type VendorErrorCode } from '@healthd/providers';
import { type AccountState, pullBlockerText } from '../../connections/index.js';
import type { OpenRun, PullKind } from './open-runs.js';

/**
 * What a vendor's failure means for the run it met.
 * - `skip_type`: the person did not consent to this kind of data.
 * - `fail_type`: trying again does not help; the other kinds go on.
 * - `later_type`: the other kinds go on, this one when the run is resumed.
 * - `later`: the whole run is postponed.
 * - `queue`: the run waits for its turn at the quota that the service keeps to. That is no one's failure and counts as none, unless
 *   a reading was begun and must be repeated: after so many times, one after the other, it is given up, because a quota that is
 *   too small for it would be spent on nothing but its beginnings.
 * - `over`: the run ends.
 */
export type PullFailure =
  | { kind: 'skip_type' }
  | { kind: 'fail_type' }
  | { kind: 'later_type'; limit: number; waitMs: number }
  | { kind: 'later'; limit: number; waitMs: number; account?: AccountState; text: string }
  | { kind: 'queue'; waitMs: number; perRequestMs: number | undefined; limit: number | undefined; text: string }
  | { kind: 'over'; account?: AccountState; text: string };

/** Accounts without data and mistakes of the deployment last; asking every minute helps no one. */
const SLOW_MS = 6 * MS_PER_HOUR;
/** A week of slow tries. */
const SLOW_LIMIT = 28;

/** How often a run is postponed without success before it ends with a failure. What a webhook reported has three tries. */
const UNAVAILABLE_LIMIT: Readonly<Record<PullKind, number>> = { webhook: 2, manual: 3, live: 5, backfill: 24 };
const RATE_LIMIT = 24;
/** How often a reading that the quota interrupted is begun again. */
const REPEATED_READING_LIMIT = 5;
/** First wait after a vendor refused for now or named a time, and after it failed. Quotas refill within a minute. */
const FIRST_WAIT_MS = { refused: 2_000, failed: 30_000 };
/** Keeps those that were refused together from coming back together. */
const LONGEST_JITTER_MS = 1_000;
const LONGEST_WAIT_MS = 30 * MS_PER_MINUTE;

const SENTENCES: Readonly<Partial<Record<VendorErrorCode, string>>> = {
  account_not_linked: 'The account has no health data at the vendor yet.',
  account_not_ready: 'The account is being set up at the vendor.',
  operator: 'The service is set up wrongly at the vendor; its log says how.',
  rate_limited: 'The vendor takes no more requests for now.',
};

const QUEUED = 'The requests that the vendor allows are used up for now; the run waits for its turn.';

/** A refresh token that lives says that no one took anything back, even if the vendor refuses the access token. */
const REFUSED_AFTER_RENEWAL =
  'The vendor refused an authorization that it had just renewed. The connection stays, and the next sync asks again.';

/** @param random a number in [0, 1) */
export function pullFailureOf(
  error: VendorError,
  { provider, kind, failures }: Pick<OpenRun, 'provider' | 'kind' | 'failures'>,
  random: number,
): PullFailure {
  const text = SENTENCES[error.code] ?? withStatus('The vendor did not answer.', error);
  const waitMs = waitOf(error, failures, random);
  switch (error.code) {
    case 'scope_missing':
      return { kind: 'skip_type' };
    case 'rate_limited':
      if (error.reason === OWN_QUOTA) {
        const { retryAfterMs = 0, perRequestMs, requestsToRepeat = 0 } = error;
        const limit = requestsToRepeat > 0 ? REPEATED_READING_LIMIT : undefined;
        return { kind: 'queue', waitMs: retryAfterMs, perRequestMs, limit, text: QUEUED };
      }
      return { kind: 'later', limit: RATE_LIMIT, waitMs, text };
    case 'unavailable':
    case 'invalid_answer':
      return { kind: 'later_type', limit: UNAVAILABLE_LIMIT[kind], waitMs };
    case 'unauthorized':
      // With a status it is the answer to a request of data; the connection ends by its tokens alone.
      return { kind: 'over', text: error.status === undefined ? endedText(error, provider) : REFUSED_AFTER_RENEWAL };
    case 'account_not_linked':
      return slow(kind, random, text, 'not_linked');
    case 'account_not_ready':
      return slow(kind, random, text, 'not_ready');
    case 'operator':
      return slow(kind, random, text);
    default:
      return { kind: 'fail_type' };
  }
}

/** Adds the vendor's status, which tells support staff whose fault it is, to a sentence that does not name the cause. */
export function withStatus(text: string, { code, status, message }: VendorError): string {
  return status === undefined || SENTENCES[code] !== undefined ? text : text.replace(/\.$/, ` (${message}).`);
}

function endedText({ reason }: VendorError, provider: ProviderId): string {
  return pullBlockerText(reason === 'token_unreadable' ? reason : 'refresh_failed', provider);
}

/** Backfills and reported changes wait for better days; a pull that the schedule repeats anyway ends. */
function slow(kind: PullKind, random: number, text: string, account?: AccountState): PullFailure {
  if (kind === 'manual' || kind === 'live') return { kind: 'over', account, text };
  return { kind: 'later', limit: SLOW_LIMIT, waitMs: SLOW_MS * (0.75 + random / 2), account, text };
}

/**
 * Doubles with every failure; the upper half is jitter. A time that the vendor names is respected, with a little jitter
 * on top, until the vendor has refused so often that something else must be wrong.
 */
function waitOf({ code, retryAfterMs = 0 }: VendorError, failures: number, random: number): number {
  const hasWait = retryAfterMs > 0 || code === 'rate_limited';
  const firstMs = hasWait ? FIRST_WAIT_MS.refused : FIRST_WAIT_MS.failed;
  const backoffMs = Math.min(firstMs * 2 ** failures, LONGEST_WAIT_MS);
  const jitteredMs = backoffMs / 2 + (random * backoffMs) / 2;
  const askedMs = retryAfterMs + random * Math.min(retryAfterMs / 10, LONGEST_JITTER_MS);
  return Math.round(Math.max(askedMs, jitteredMs));
}
