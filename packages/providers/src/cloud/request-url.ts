import type { VendorAddresses, VendorRequest } from './vendor-api.js';
import { VendorError } from './vendor-error.js';

/** Path segment `.` or `..`. A `..` segment would leave the base. */
const DOT_SEGMENT = /(^|\/)(\.|%2e){1,2}(\/|$)/i;

/**
 * Returns the URL of a request: a configured base and the path below it. A path can reach neither another host nor a
 * parent of its base.
 * @throws VendorError `operator` if the base is unset or not an HTTP URL, `invalid_request` for an invalid path
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

/** @throws VendorError `operator` if the URL is unset or not an HTTP URL */
export function httpAddress(address: string | undefined): URL {
  if (address === undefined || !URL.canParse(address)) throw new VendorError({ code: 'operator' });
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new VendorError({ code: 'operator' });
  url.hash = '';
  return url;
}
