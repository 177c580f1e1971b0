import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HealthdClient } from '@healthd/client';
import { afterEach, expect, test } from 'vitest';
import { syncEvents } from './event-stream.js';

let proxy: Server | undefined;
afterEach(() => {
  proxy?.closeAllConnections();
  proxy?.close();
  proxy = undefined;
});

/** Starts a proxy that sends an event, these statuses and the next event. Records the `Last-Event-ID` headers. */
async function proxyOf(statuses: readonly number[]): Promise<{ url: string; lastIds: (string | undefined)[] }> {
  const lastIds: (string | undefined)[] = [];
  const answers = [200, ...statuses, 200];
  proxy = createServer((request, response) => {
    lastIds.push(request.headers['last-event-id'] as string | undefined);
    const number = lastIds.length;
    const status = answers[number - 1] ?? 200;
    response.writeHead(status, { 'Content-Type': status === 200 ? 'text/event-stream' : 'text/html' });
    response.end(
      status === 200
        ? `id: ${number}\nevent: sync.status\ndata: {"run_id":"${number}","event_id":"${number}"}\n\n`
        : '<html>',
    );
  });
  await new Promise<void>((done) => proxy?.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, lastIds };
}

async function runsSeen(url: string, count: number): Promise<string[]> {
  const client = new HealthdClient({ baseUrl: url, authorize: async () => ({}) });
  const seen: string[] = [];
  const user = '11111111-2222-4333-8444-555555555555';
  const options = { user, replay: 0, signal: new AbortController().signal, resume: 'healthctl logs tail' };
  for await (const { run_id } of syncEvents(client, options)) {
    seen.push(run_id);
    if (seen.length === count) break;
  }
  return seen;
}

test('resumes a stream after its last event when the service restarts', async () => {
  const { url, lastIds } = await proxyOf([502, 503, 504]);
  expect(await runsSeen(url, 2)).toEqual(['1', '5']);
  expect(lastIds).toEqual([undefined, '1', '1', '1', '1']);
});

test('ends a stream that the service rejects', async () => {
  const { url } = await proxyOf([404]);
  await expect(runsSeen(url, 2)).rejects.toMatchObject({ status: 404 });
});
