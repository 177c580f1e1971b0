import { exchange } from './exchange.js';
import { failureOfResponse } from './failure-of-response.js';
import type { ProviderConfiguration } from './provider-configuration.js';
import { requestUrl } from './request-url.js';
import type { VendorRequest } from './vendor-api.js';
import { VendorError } from './vendor-error.js';

/** A request that manages a consent and reads no health data. */
export interface AuthorizedRequest {
  configuration: ProviderConfiguration;
  request: VendorRequest;
  accessToken: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

const MAX_RESPONSE_BYTES = 65_536;

/** Sends a request with a user's token and ignores the response body. @throws VendorError */
export async function sendWithToken({
  configuration,
  request,
  accessToken,
  timeoutMs,
  signal,
}: AuthorizedRequest): Promise<void> {
  const response = await exchange({
    url: requestUrl(configuration.addresses, request),
    method: request.method ?? 'GET',
    headers: { accept: 'application/json', 'user-agent': 'healthd', authorization: `Bearer ${accessToken}` },
    timeoutMs,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    signal,
  });
  if (response.status >= 400) throw failureOfResponse(response, undefined, true);
}

/**
 * True if the vendor accepts the token. Every response except 401, 429 and server errors proves that the token is
 * valid.
 * @throws VendorError `unavailable` or `rate_limited` if the outcome is unknown
 */
export async function acceptsToken(request: AuthorizedRequest): Promise<boolean> {
  try {
    await sendWithToken(request);
    return true;
  } catch (error) {
    if (!(error instanceof VendorError) || error.code === 'unavailable' || error.code === 'rate_limited') throw error;
    return error.code !== 'unauthorized';
  }
}
