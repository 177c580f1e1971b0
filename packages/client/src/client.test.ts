import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getTimeseries, listSyncRuns } from '@healthd/contract';
import { afterEach, expect, test } from 'vitest';
import { HealthdClient, pathOf } from './client.js';

test('accepts numbers, booleans, lists and undefined in a query', () => {
  const query = { limit: 5, retrying: true, status: undefined };
  expect(pathOf(listSyncRuns, undefined, query)).toBe('/api/v1/sync/runs?limit=5&retrying=true');
  const path = pathOf(getTimeseries, { user_id: 'a/b' }, { types: ['steps', 'energy'] });
  expect(path).toBe('/api/v1/users/a%2Fb/timeseries?types=steps&types=energy');
});

test('accepts numbers and booleans only where the service reads them', () => {
  const client = new HealthdClient({ baseUrl: 'http://localhost', authorize: async () => ({}) });
  const calls = [
    () => client.call(listSyncRuns, { query: { limit: 5, retrying: true } }),
    () => client.call(listSyncRuns, { query: { limit: '5', retrying: 'true' } }),
    // @ts-expect-error a user is named by an id
    () => client.call(listSyncRuns, { query: { user_id: 5 } }),
    // @ts-expect-error a limit is a number
    () => client.call(listSyncRuns, { query: { limit: true } }),
    // @ts-expect-error no such parameter
    () => client.call(listSyncRuns, { query: { limits: 5 } }),
  ];
  expect(calls).toHaveLength(5);
});

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

test.each([
  ['no response', undefined],
  ['JSON that does not end', '['],
])('reports a timeout if a call gets %s', async (_, firstPart) => {
  server = createServer((_request, response) => {
    if (firstPart !== undefined) response.writeHead(200, { 'Content-Type': 'application/json' }).write(firstPart);
  });
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new HealthdClient({ baseUrl, authorize: async () => ({}), answerWithinMs: () => 100 });
  await expect(client.call(listSyncRuns, {})).rejects.toMatchObject({ name: 'UnreachableError', isLate: true });
});

test('throws no service error if the caller aborts', async () => {
  server = createServer(() => undefined);
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new HealthdClient({ baseUrl, authorize: async () => ({}), answerWithinMs: () => 60_000 });
  const calling = client.call(listSyncRuns, { signal: AbortSignal.timeout(50) });
  await expect(calling).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('ends a call on abort even if the body never ends', async () => {
  const stop = new AbortController();
  const client = new HealthdClient({
    baseUrl: 'http://localhost',
    authorize: async () => ({}),
    fetch: async () => new Response(new ReadableStream(), { headers: { 'Content-Type': 'application/json' } }),
  });
  const call = client.call(listSyncRuns, { query: {}, signal: stop.signal });
  setImmediate(() => stop.abort());
  await expect(call).rejects.toThrow('aborted');
});
