import type { VendorAddresses, VendorRequest } from './vendor-api.js';
import { VendorError } from './vendor-error.js';

/** `.` and `..` as a part of a path, which would lead out of what the base allows. */
const DOT_SEGMENT = /(^|\/)(\.|%2e){1,2}(\/|$)/i;

/**
 * The address of a request: a configured base, and below it the path. A path leads neither to another host nor above
 * its base.
 * @throws VendorError `operator` when that base is not set or is no http address, `invalid_request` for a wrong path
 */
export function requestUrl(addresses: VendorAddresses, request: Pick<VendorRequest, 'base' | 'path' | 'query'>): URL {
  const url = httpAddress(addresses[request.base ?? 'api']);
  if (request.path !== '') {
    if (!request.path.startsWith('/') || DOT_SEGMENT.test(request.path)) {
      throw new VendorError({ code: 'invalid_request' });
    }
    url.pathname = url.pathname.replace(/\/+$/, '') + request.path;
  }
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

/** @throws VendorError `operator` when it is not set or is no http address */
export function httpAddress(address: string | undefined): URL {
  if (address === undefined || !URL.canParse(address)) throw new VendorError({ code: 'operator' });
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new VendorError({ code: 'operator' });
  url.hash = '';
  return url;
}
