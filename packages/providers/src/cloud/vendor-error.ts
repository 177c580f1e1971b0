/**
 * Reasons why a vendor's server did not return the requested data.
 *
 * - `unauthorized`: the vendor rejects the access token, even after one renewal.
 * - `account_not_linked`: the user's account has no health data at the vendor yet.
 * - `account_not_ready`: the account is being set up; retry much later.
 * - `scope_missing`: the user did not consent to this data type.
 * - `not_found`: the requested item does not exist, or no longer exists.
 * - `conflict`: the item already exists.
 * - `range_too_long`: `longestMs` is the maximum length of a range.
 * - `range_too_early`: `earliestMs` is the earliest start of a range.
 * - `invalid_request`: our request is invalid; a retry does not help.
 * - `operator`: the deployment is misconfigured (wrong client secret, API disabled); no connection is affected.
 * - `rate_limited`: too many requests; a later retry helps.
 * - `unavailable`: the server failed or did not respond; a retry helps.
 * - `invalid_answer`: the response is unreadable or too large.
 */
export type VendorErrorCode =
  | 'unauthorized'
  | 'account_not_linked'
  | 'account_not_ready'
  | 'scope_missing'
  | 'not_found'
  | 'conflict'
  | 'range_too_long'
  | 'range_too_early'
  | 'invalid_request'
  | 'operator'
  | 'rate_limited'
  | 'unavailable'
  | 'invalid_answer';

export interface VendorFailure {
  code: VendorErrorCode;
  /** Status of the vendor's response; undefined without a response. */
  status?: number;
  /**
   * The vendor's stable code for the reason, e.g. `INVALID_DATA_POINT_FILTER`. Without a valid response, the reason is
   * our code: a network code such as `ECONNREFUSED`, `timeout`, `too_large`, `unreadable_body`. Never free text.
   */
  reason?: string;
  /** Retry delay, if the vendor or a budget names one. Otherwise the caller decides. */
  retryAfterMs?: number;
  /** For {@link OWN_QUOTA}: milliseconds that the exhausted window of the application takes to gain one request. */
  perRequestMs?: number;
  /** For {@link OWN_QUOTA}: number of requests that the same reading already sent and must repeat. */
  requestsToRepeat?: number;
  longestMs?: number;
  /** Undefined if the vendor rejects a range as too early without reporting the earliest start. */
  earliestMs?: number;
}

/** Reason of `invalid_answer` if the vendor returns more items than a window can have. */
export const TOO_MANY_ITEMS = 'too_many_items';
/** Reason of `invalid_answer` if a response has more bytes than the vendor's responses have. */
export const TOO_LARGE = 'too_large';

/** Reason of `rate_limited` if the request was not sent, because it would exceed the vendor's quota. */
export const OWN_QUOTA = 'own_quota';

/**
 * Message of an {@link OWN_QUOTA} error. A run that waits for the quota stores it as the reason of its next attempt.
 */
export const OWN_QUOTA_WAIT = `rate_limited ${OWN_QUOTA}`;

/** A failed request to a vendor. The message contains codes only, because a vendor's text may name the user. */
export class VendorError extends Error implements VendorFailure {
  override readonly name = 'VendorError';
  readonly code: VendorErrorCode;
  readonly status: number | undefined;
  readonly reason: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly perRequestMs: number | undefined;
  readonly requestsToRepeat: number | undefined;
  readonly longestMs: number | undefined;
  readonly earliestMs: number | undefined;

  constructor(failure: VendorFailure, options?: ErrorOptions) {
    super([failure.code, failure.status, failure.reason].filter((part) => part !== undefined).join(' '), options);
    this.code = failure.code;
    this.status = failure.status;
    this.reason = failure.reason;
    this.retryAfterMs = failure.retryAfterMs;
    this.perRequestMs = failure.perRequestMs;
    this.requestsToRepeat = failure.requestsToRepeat;
    this.longestMs = failure.longestMs;
    this.earliestMs = failure.earliestMs;
  }

  /** True if the same request may succeed later. */
  get isTransient(): boolean {
    return this.code === 'rate_limited' || this.code === 'unavailable' || this.code === 'account_not_ready';
  }
}

/**
 * Limits the number of items in one reading, because one turn of the event loop reads all of them.
 * @throws VendorError `invalid_answer` if there are more items than a window of the vendor can have
 */
export function requireAtMost(most: number, count: number): void {
  if (count > most) throw new VendorError({ code: 'invalid_answer', reason: TOO_MANY_ITEMS });
}
