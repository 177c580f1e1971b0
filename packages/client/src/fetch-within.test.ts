import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchWithin } from './fetch-within.js';

const LIMIT_MS = 1000;

let server: Server | undefined;
// Only the limit is on a clock of the test; sockets have the real one.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  vi.useRealTimers();
  server?.closeAllConnections();
  server?.close();
});

/** A service that begins its answer, and ends it when the test says so. */
async function slowService(contentType: string, ended: Promise<void>): Promise<string> {
  server = createServer(async (_, response) => {
    response.writeHead(200, { 'Content-Type': contentType }).write('[');
    await ended;
    response.end(']');
  });
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a download that takes longer than an answer may is read to its end', async () => {
  let end = () => {};
  const ended = new Promise<void>((done) => {
    end = done;
  });
  const url = await slowService('application/zip', ended);
  const response = await fetchWithin(LIMIT_MS, fetch, url);
  // The limit of the answer passes while the download goes on.
  vi.advanceTimersByTime(2 * LIMIT_MS);
  end();
  expect(await response.text()).toBe('[]');
});

test('JSON that does not end in time is given up', async () => {
  const response = await fetchWithin(
    LIMIT_MS,
    fetch,
    await slowService('application/json', new Promise(() => undefined)),
  );
  const text = expect(response.text()).rejects.toMatchObject({ name: 'TimeoutError' });
  vi.advanceTimersByTime(LIMIT_MS);
  await text;
});
