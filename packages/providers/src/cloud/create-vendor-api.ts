import type { VendorApi } from './vendor-api.js';
import { Call, type VendorApiOptions } from './vendor-call.js';

/**
 * Calls a vendor's API for one connection.
 *
 * - Renews a rejected token once and repeats the request once.
 * - Retries a read twice within about two seconds after a network or server error, unless the call has already used up
 *   its time-out. Never retries a write after such an error, because its outcome is unknown.
 * - Throws a {@link VendorError} for longer waits, with `retryAfterMs` if the vendor or a budget names a time.
 * - Errors contain neither URLs nor the vendor's text.
 */
export function createVendorApi(options: VendorApiOptions): VendorApi {
  return { call: (request) => new Call(options, request).run() };
}
