import { readLimitedBody } from './limited-body.js';
import { networkCode } from './network-code.js';
import { VendorError } from './vendor-error.js';

/** One HTTP exchange with a vendor's server. */
export interface Exchange {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** For the whole exchange, the body included. */
  timeoutMs: number;
  maxResponseBytes: number;
  /** Ends the exchange; its reason is thrown. */
  signal?: AbortSignal;
  /** Default: Node's own. */
  fetch?: typeof fetch;
}

export interface VendorResponse {
  status: number;
  headers: Headers;
  /** The body, unpacked. */
  bytes: Buffer;
}

/**
 * Sends one request and reads its answer whole. Redirects are not followed, because they lead to hosts that no one
 * configured.
 * @throws VendorError `unavailable` without an answer in time, `invalid_answer` when it is too large or redirects
 */
export async function exchange(request: Exchange): Promise<VendorResponse> {
  const { signal, timeoutMs } = request;
  signal?.throwIfAborted();
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), timeoutMs);
  const stop = () => ended.abort();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await send(request, ended.signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof VendorError) throw error;
    throw new VendorError({ code: 'unavailable', reason: ended.signal.aborted ? 'timeout' : networkCode(error) });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

async function send(request: Exchange, signal: AbortSignal): Promise<VendorResponse> {
  const response = await (request.fetch ?? fetch)(request.url, {
    method: request.method,
    headers: request.headers,
    ...(request.body !== undefined && { body: request.body }),
    redirect: 'manual',
    signal,
  });
  const { status, headers } = response;
  if (status < 200 || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    throw new VendorError({ code: 'invalid_answer', status });
  }
  return { status, headers, bytes: await readLimitedBody(response, request.maxResponseBytes) };
}
