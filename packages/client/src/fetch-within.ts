/**
 * Aborts if no response starts in time. JSON must end in time too; downloads and streams may take longer.
 * @throws DOMException `TimeoutError`
 */
export async function fetchWithin(
  ms: number,
  fetcher: typeof fetch,
  input: Parameters<typeof fetch>[0],
  init?: RequestInit,
): Promise<Response> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new DOMException('no response in time', 'TimeoutError')), ms);
  // Lets a Node process end while the timer runs. Browsers return a number, which has no `unref`.
  if (typeof timer === 'object') (timer as { unref(): void }).unref();
  const signal = init?.signal ? AbortSignal.any([init.signal, limit.signal]) : limit.signal;
  try {
    const response = await fetcher(input, { ...init, signal });
    if (!isJson(response)) clearTimeout(timer);
    return response;
  } catch (error) {
    clearTimeout(timer);
    throw error;
  }
}

/** True for one JSON document, also of a derived media type; false for a stream of documents, such as NDJSON. */
function isJson(response: Response): boolean {
  const [mediaType = ''] = (response.headers.get('content-type') ?? '').split(';');
  return /^application\/(?:[^;]+\+)?json$/i.test(mediaType.trim());
}

/**
 * Waits for a read of a response's body, or until the signal is aborted. Without this function, a read in Node 20 can
 * stay pending forever if the request is aborted during the read.
 * @throws the reason of the signal
 */
export async function unlessAborted<T>(read: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return read;
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
  });
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([read, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
