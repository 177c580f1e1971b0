import type { VendorApi } from './vendor-api.js';
import { Call, type VendorApiOptions } from './vendor-call.js';

/**
 * Calls a vendor's API for one connection.
 *
 * - A refused token is renewed once and the request repeated once.
 * - A read that failed on the way or at the server is repeated twice within about two seconds, unless the call has
 *   already taken its time-out. Writes are not, because no one knows whether they were done.
 * - What needs more patience becomes a {@link VendorError}, with `retryAfterMs` where the vendor or a budget names a time.
 * - Neither addresses nor a vendor's text reach an error.
 */
export function createVendorApi(options: VendorApiOptions): VendorApi {
  return { call: (request) => new Call(options, request).run() };
}
