import { TOO_LARGE, VendorError } from './vendor-error.js';

/** A code such as `ECONNREFUSED`. */
const NETWORK_CODE = /^[A-Z][A-Z0-9_]{2,40}$/;

/** Returns the code only, because a network error's message may quote the URL with its query. */
function networkCode(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && NETWORK_CODE.test(at.code)) return at.code;
  }
  return undefined;
}

/** One HTTP exchange with a vendor's server. */
export interface Exchange {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Time-out of the whole exchange, including the body. */
  timeoutMs: number;
  maxResponseBytes: number;
  /** Aborts the exchange; its reason is thrown. */
  signal?: AbortSignal;
  /** Default: Node's global `fetch`. */
  fetch?: typeof fetch;
}

export interface VendorResponse {
  status: number;
  headers: Headers;
  /** The decompressed body. */
  bytes: Buffer;
}

/**
 * Sends one request and reads the whole response. Does not follow redirects, because they lead to hosts that the
 * operator did not configure.
 * @throws VendorError `unavailable` without a response in time, `invalid_answer` for a response that is too large or
 *   redirects
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

/** Counts decompressed bytes as they arrive, so that no response exceeds the memory limit. */
async function readLimitedBody(response: Response, maxBytes: number): Promise<Buffer> {
  const reader = response.body?.getReader();
  if (reader === undefined) return Buffer.alloc(0);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw new VendorError({ code: 'invalid_answer', status: response.status, reason: TOO_LARGE });
    }
    parts.push(part.value);
  }
  return Buffer.concat(parts);
}
