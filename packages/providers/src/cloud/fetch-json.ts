import { exchange } from './exchange.js';
import { failureOfResponse } from './failure-of-response.js';
import { httpAddress } from './request-url.js';
import { readBody } from './response-body.js';

export interface JsonRead {
  /** A configured URL. */
  address: string | undefined;
  headers?: Readonly<Record<string, string>>;
  maxResponseBytes: number;
  timeoutMs: number;
  signal?: AbortSignal;
  /** Default: Node's global `fetch`. */
  fetch?: typeof fetch;
}

/**
 * Fetches data that needs no user token, such as public keys. Sends one request.
 * @returns the parsed JSON; undefined for an empty response
 * @throws VendorError
 */
export async function fetchJson(read: JsonRead): Promise<unknown> {
  const response = await exchange({
    url: httpAddress(read.address),
    method: 'GET',
    headers: { accept: 'application/json', 'user-agent': 'healthd', ...read.headers },
    timeoutMs: read.timeoutMs,
    maxResponseBytes: read.maxResponseBytes,
    signal: read.signal,
    fetch: read.fetch,
  });
  if (response.status >= 400) throw failureOfResponse(response, undefined, false);
  return readBody(response);
}
