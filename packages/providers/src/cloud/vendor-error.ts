/**
 * Why a vendor's server did not give what was asked.
 *
 * - `unauthorized`: the access token is refused, also after one renewal.
 * - `account_not_linked`: the person's account has no health data at the vendor; it may get some later.
 * - `account_not_ready`: the account is being set up; try much later.
 * - `scope_missing`: the person did not consent to this kind of data.
 * - `not_found`: what was named does not exist, or no longer.
 * - `conflict`: it exists already.
 * - `range_too_long`: `longestMs` says how long a range may be.
 * - `range_too_early`: `earliestMs` says where a range may begin.
 * - `invalid_request`: a mistake of ours; trying again does not help.
 * - `operator`: the deployment is set up wrongly (wrong client secret, API switched off): no one's connection is at fault.
 * - `rate_limited`: too many requests; trying again later helps.
 * - `unavailable`: the server failed or did not answer; trying again helps.
 * - `invalid_answer`: the answer cannot be read or is too large.
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
  /** Status of the vendor's answer; none when there was no answer. */
  status?: number;
  /**
   * The vendor's own stable word for the reason, e.g. `INVALID_DATA_POINT_FILTER`, or ours where there was no good
   * answer: a network code such as `ECONNREFUSED`, `timeout`, `too_large`, `unreadable_body`. Never free text.
   */
  reason?: string;
  /** When to come again, where the vendor or a budget says; else it is for the caller to decide. */
  retryAfterMs?: number;
  /** In {@link OWN_QUOTA}: milliseconds in which the window of the application that refused gets one more request. */
  perRequestMs?: number;
  /** In {@link OWN_QUOTA}: requests of the same reading that were sent before it, and must be sent again. */
  requestsToRepeat?: number;
  longestMs?: number;
  /** Undefined where the vendor refuses a range as too early and does not say where one may begin. */
  earliestMs?: number;
}

/** The reason of `rate_limited` where the request was not sent, because the service keeps to the vendor's quota. */
export const OWN_QUOTA = 'own_quota';

/** The message of such an error, which a run that waits for the quota keeps as the reason of its next try. */
export const OWN_QUOTA_WAIT = `rate_limited ${OWN_QUOTA}`;

/** A request to a vendor that failed. The message holds codes only: a vendor's text may name the person. */
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

  /** Whether the same request may succeed later. */
  get passes(): boolean {
    return this.code === 'rate_limited' || this.code === 'unavailable' || this.code === 'account_not_ready';
  }
}
