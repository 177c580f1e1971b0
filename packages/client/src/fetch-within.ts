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
  // Otherwise the timer would keep a Node process running. Browsers return a number, which has no `unref`.
  if (typeof timer === 'object') (timer as { unref(): void }).unref();
  const signal = init?.signal ? AbortSignal.any([init.signal, limit.signal]) : limit.signal;
  try {
    const response = await fetcher(input, { ...init, signal });
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    if (!isJson) clearTimeout(timer);
    return response;
  } catch (error) {
    clearTimeout(timer);
    throw error;
  }
}
