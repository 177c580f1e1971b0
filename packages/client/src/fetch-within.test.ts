import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchWithin } from './fetch-within.js';

const LIMIT_MS = 1000;

let server: Server | undefined;
// Only the limit uses the test's clock. Sockets use the real clock.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  vi.useRealTimers();
  server?.closeAllConnections();
  server?.close();
});

/** A service that starts its response and ends it when the test resolves `ended`. */
async function slowService(contentType: string, ended: Promise<void>): Promise<string> {
  server = createServer(async (_, response) => {
    response.writeHead(200, { 'Content-Type': contentType }).write('[');
    await ended;
    response.end(']');
  });
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each(['application/zip', 'application/x-ndjson'])(
  'reads a download of %s that takes longer than the limit',
  async (contentType) => {
    let end = () => {};
    const ended = new Promise<void>((done) => {
      end = done;
    });
    const url = await slowService(contentType, ended);
    const response = await fetchWithin(LIMIT_MS, fetch, url);
    // The time limit expires during the download.
    vi.advanceTimersByTime(2 * LIMIT_MS);
    end();
    expect(await response.text()).toBe('[]');
  },
);

test('aborts JSON that does not end in time', async () => {
  const response = await fetchWithin(
    LIMIT_MS,
    fetch,
    await slowService('application/json', new Promise(() => undefined)),
  );
  const text = expect(response.text()).rejects.toMatchObject({ name: 'TimeoutError' });
  vi.advanceTimersByTime(LIMIT_MS);
  await text;
});
