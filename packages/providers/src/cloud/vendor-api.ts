import type { VendorFailure } from './vendor-error.js';

/** URLs of a vendor's servers. Each can be configured, so that a simulator can replace the vendor. */
export interface VendorAddresses {
  /** Base of the data API, without a trailing slash. */
  api: string;
  authorize: string;
  token: string;
  /** Undefined if the vendor offers no revocation. */
  revoke?: string;
  /** Other URLs of this vendor by name, e.g. `userInfo`. */
  [name: string]: string | undefined;
}

export interface VendorRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** URL that the path is appended to; default `api`. */
  base?: string;
  /** Without query. Starts with `/`, or is empty if `base` is complete. External parts must be encoded. */
  path: string;
  query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as a form, instead of `body`. */
  form?: Readonly<Record<string, string>>;
  /** Type of a successful response: JSON by default, or bytes such as a file. */
  answer?: 'bytes';
  /** Maximum response size in bytes, if it may exceed the vendor's default. */
  maxBytes?: number;
  /** True if sending the request twice is harmless. Default: true for GET only. Set it for reads by POST. */
  repeatable?: boolean;
}

/**
 * A vendor's API for one connection. It sends the user's token, enforces the budgets of user and application, and
 * renews the token once after a 401.
 */
export interface VendorApi {
  /**
   * Returns the parsed JSON, or a `Uint8Array` if the request specifies bytes; undefined for an empty response.
   * @throws VendorError, with `retryAfterMs` if the vendor or a budget names a time; the signal's reason if the signal
   *   aborted the call
   */
  call(request: VendorRequest): Promise<unknown>;
}

/** The access token of one connection. Renewals are serialized across all processes. */
export interface TokenSource {
  /** @throws VendorError `unauthorized` if no token is available */
  current(): Promise<string>;
  /** Returns a token other than the rejected one. @throws VendorError */
  renew(rejectedToken: string): Promise<string>;
}

/** A budget's decision on a request. */
export interface BudgetResponse {
  /** Milliseconds until the request may be sent; 0 if it may be sent immediately. */
  waitMs: number;
  /**
   * Milliseconds that the application's slowest window takes to gain one request. Undefined if the request may be sent
   * immediately, or if a user's window is the slowest.
   */
  perRequestMs?: number | undefined;
}

/** Enforces the vendor's quotas per user and per application, across all processes. */
export interface RequestBudget {
  /**
   * Takes one request from the budget.
   * @param patienceMs if the wait would be at least this long, the request is not sent and the budget is unchanged
   */
  take(patienceMs: number): Promise<BudgetResponse>;
}

/**
 * Reads a vendor's error from status, body and headers. Returns undefined to classify by status alone.
 * @param hasToken true if the request carried a user's access token, so that a 401 concerns that token
 */
export type ErrorReader = (
  status: number,
  body: unknown,
  headers: Headers,
  hasToken?: boolean,
) => Partial<VendorFailure> | undefined;
