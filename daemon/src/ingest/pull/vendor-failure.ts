import { MS_PER_HOUR, MS_PER_MINUTE, type ProviderId } from '@healthd/model';
import { OWN_QUOTA, TOO_LARGE, TOO_MANY_ITEMS, type VendorError, type VendorErrorCode } from '@healthd/providers';
import { type AccountState, pullBlockerText } from '../../connections/index.js';
import type { OpenRun, PullKind } from './open-runs.js';

/**
 * Effect of a vendor failure on its run.
 * - `skip_type`: the user did not consent to this data type.
 * - `fail_type`: a retry does not help; the other types continue.
 * - `later_type`: the other types continue; this type is read when the run resumes.
 * - `later`: the whole run is postponed.
 * - `queue`: the run waits for the service's own quota. This does not count as a failure, unless it interrupts a
 *   window whose requests must then be repeated. After several consecutive repeats the data type fails, because a quota
 *   that is too small for the window would be spent on incomplete attempts.
 * - `over`: the run ends.
 */
export type PullFailure =
  | { kind: 'skip_type' }
  | { kind: 'fail_type' }
  | { kind: 'later_type'; limit: number; waitMs: number }
  | { kind: 'later'; limit: number; waitMs: number; account?: AccountState; text: string }
  | { kind: 'queue'; waitMs: number; perRequestMs: number | undefined; limit: number | undefined; text: string }
  | { kind: 'over'; account?: AccountState; text: string };

/**
 * Delay between attempts for accounts without data and deployment mistakes. Both persist, so frequent polling does not
 * help.
 */
const SLOW_MS = 6 * MS_PER_HOUR;
/** Maximum number of slow attempts, which take a week. */
const SLOW_LIMIT = 28;

/** Maximum postponements without success before a run fails. A webhook run has three attempts. */
const UNAVAILABLE_LIMIT: Readonly<Record<PullKind, number>> = { webhook: 2, manual: 3, live: 5, backfill: 24 };
const RATE_LIMIT = 24;
/** Maximum number of restarts of a window that the quota interrupted. */
const REPEATED_READING_LIMIT = 5;
/** First wait if the vendor limits the rate or requests a wait (`refused`), and after other failures. */
const FIRST_WAIT_MS = { refused: 2_000, failed: 30_000 };
/**
 * Maximum jitter of a wait that the vendor requests. Prevents runs that were rejected together from retrying together.
 */
const LONGEST_JITTER_MS = 1_000;
const LONGEST_WAIT_MS = 30 * MS_PER_MINUTE;

const SENTENCES: Readonly<Partial<Record<VendorErrorCode, string>>> = {
  account_not_linked: 'The account has no health data at the vendor yet.',
  account_not_ready: 'The account is being set up at the vendor.',
  operator: 'The provider is misconfigured on this server. See the server log.',
  rate_limited: "The vendor's rate limit is reached.",
};

const QUEUED = "The vendor's rate limit is used up. The run is queued.";

/**
 * Message for a token that is rejected after its renewal. A live refresh token proves that the user did not revoke the
 * grant, even if the vendor rejects the access token.
 */
const REJECTED_AFTER_RENEWAL =
  'The vendor rejected an authorization that it had just renewed. The connection is kept, and the next sync retries.';

/** @param random a number in [0, 1) */
export function pullFailureOf(
  error: VendorError,
  { provider, kind, failures }: Pick<OpenRun, 'provider' | 'kind' | 'failures'>,
  random: number,
): PullFailure {
  const text = SENTENCES[error.code] ?? withStatus('The vendor did not respond.', error);
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
    case 'invalid_answer':
      // Fails the data type, because the next response would be just as large.
      if (error.reason === TOO_MANY_ITEMS || error.reason === TOO_LARGE) return { kind: 'fail_type' };
      return { kind: 'later_type', limit: UNAVAILABLE_LIMIT[kind], waitMs };
    case 'unavailable':
      return { kind: 'later_type', limit: UNAVAILABLE_LIMIT[kind], waitMs };
    case 'unauthorized':
      // An error with a status is a response to a data request. Only a token error, which has no status, ends a
      // connection.
      return { kind: 'over', text: error.status === undefined ? endedText(error, provider) : REJECTED_AFTER_RENEWAL };
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

/**
 * Adds the vendor's status to a message that does not name the cause. The status shows support staff where the fault
 * is.
 */
export function withStatus(text: string, { code, status, message }: VendorError): string {
  return status === undefined || SENTENCES[code] !== undefined ? text : text.replace(/\.$/, ` (${message}).`);
}

function endedText({ reason }: VendorError, provider: ProviderId): string {
  return pullBlockerText(reason === 'token_unreadable' ? reason : 'refresh_failed', provider);
}

/** Backfills and runs for reported changes wait. Other pulls end, because the schedule repeats them anyway. */
function slow(kind: PullKind, random: number, text: string, account?: AccountState): PullFailure {
  if (kind === 'manual' || kind === 'live') return { kind: 'over', account, text };
  return { kind: 'later', limit: SLOW_LIMIT, waitMs: SLOW_MS * (0.75 + random / 2), account, text };
}

/**
 * Returns the wait before the next attempt. Doubles the wait with every failure; its upper half is jitter. Waits at
 * least as long as the vendor requests, plus a little jitter.
 */
function waitOf({ code, retryAfterMs = 0 }: VendorError, failures: number, random: number): number {
  const hasWait = retryAfterMs > 0 || code === 'rate_limited';
  const firstMs = hasWait ? FIRST_WAIT_MS.refused : FIRST_WAIT_MS.failed;
  const backoffMs = Math.min(firstMs * 2 ** failures, LONGEST_WAIT_MS);
  const jitteredMs = backoffMs / 2 + (random * backoffMs) / 2;
  const requestedMs = retryAfterMs + random * Math.min(retryAfterMs / 10, LONGEST_JITTER_MS);
  return Math.round(Math.max(requestedMs, jitteredMs));
}
