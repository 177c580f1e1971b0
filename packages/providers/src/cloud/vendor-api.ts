import type { VendorFailure } from './vendor-error.js';

/** Where a vendor's servers are. Each can be set, so that a simulator can replace the vendor. */
export interface VendorAddresses {
  /** Base of the data API, without a slash at its end. */
  api: string;
  authorize: string;
  token: string;
  /** None where the vendor offers no revocation. */
  revoke?: string;
  /** Further addresses of this vendor by name, e.g. `userInfo`. */
  [name: string]: string | undefined;
}

export interface VendorRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Which address the path is appended to; `api` unless said otherwise. */
  base?: string;
  /** Without query; begins with `/`, or is empty where `base` is complete. Parts from outside must be encoded. */
  path: string;
  query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as a form, in place of `body`. */
  form?: Readonly<Record<string, string>>;
  /** What a good answer is: JSON unless said otherwise, or bytes such as a file. */
  answer?: 'bytes';
  /** Bytes of the answer at most, where it may be larger than others of the vendor. */
  maxBytes?: number;
  /** Whether sending it twice does no harm; default: only a GET. True for reads that are a POST. */
  repeatable?: boolean;
}

/**
 * A vendor's API as one connection may use it: with the person's token, within the budgets of person and application,
 * renewed once after a 401.
 */
export interface VendorApi {
  /**
   * The parsed JSON of the answer, or its bytes as a `Uint8Array` where the request says so; undefined when the answer is empty.
   * @throws VendorError, with `retryAfterMs` where the vendor or a budget names a time; the reason of the signal when that ended it
   */
  call(request: VendorRequest): Promise<unknown>;
}

/** The access token of one connection; renewals happen one at a time across all processes. */
export interface TokenSource {
  /** @throws VendorError `unauthorized` when there is none and none can be had */
  current(): Promise<string>;
  /** A token other than the refused one. @throws VendorError */
  renew(refused: string): Promise<string>;
}

/** What a budget says to a request. */
export interface BudgetAnswer {
  /** Milliseconds until the request may be sent; 0 immediately. */
  waitMs: number;
  /** Milliseconds in which the slowest window of the application gets one more request; undefined where no one else waits for it. */
  perRequestMs?: number | undefined;
}

/** Keeps to the vendor's quotas: one for the person, one for the application, over all processes. */
export interface RequestBudget {
  /**
   * Takes one request.
   * @param patienceMs when the request would have to wait this long or longer, it is not sent and nothing is taken
   */
  take(patienceMs: number): Promise<BudgetAnswer>;
}

/**
 * How a vendor words its errors: what status, body and headers mean. Undefined leaves it to the status alone.
 * @param hasToken true if the request carried a person's access token, so that a 401 is about that token
 */
export type ErrorReader = (
  status: number,
  body: unknown,
  headers: Headers,
  hasToken?: boolean,
) => Partial<VendorFailure> | undefined;
