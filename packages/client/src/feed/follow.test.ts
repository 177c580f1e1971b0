import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createClient } from '../published.js';
import { type ChangesApi, CursorExpiredError, type CursorStore, FeedOffError, follow } from './follow.js';
import type { Change } from './wire.js';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

interface Reply {
  status: number;
  body?: object;
  headers?: Record<string, string>;
}

/** Replies in turn. Then the request stays open, as a long poll does. Returns the client and the requested cursors. */
async function scripted(...replies: Reply[]): Promise<{ client: ChangesApi; cursors: (string | null)[] }> {
  const cursors: (string | null)[] = [];
  server = createServer((request, response) => {
    cursors.push(new URL(request.url ?? '', 'http://localhost').searchParams.get('cursor'));
    const reply = replies.shift();
    if (!reply) return;
    response.writeHead(reply.status, { 'Content-Type': 'application/json', ...reply.headers });
    response.end(JSON.stringify(reply.body ?? { detail: 'scripted' }));
  });
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { client: createClient({ baseUrl, apiKey: 'sk-test' }) as unknown as ChangesApi, cursors };
}

function memoryCursor(cursor?: string): CursorStore & { saved: string[] } {
  const saved: string[] = [];
  return {
    saved,
    load: async () => saved.at(-1) ?? cursor,
    save: async (next) => void saved.push(next),
  };
}

const change = (position: number) => ({ position, user_id: 'u', at: '', kind: 'sleep', action: 'created' }) as Change;
const page = (cursor: string, hasMore: boolean, ...items: Change[]): Reply => ({
  status: 200,
  body: { items, cursor, has_more: hasMore },
});

test('saves the cursor of each page after its changes', async () => {
  const { client, cursors } = await scripted(page('b', true, change(1)), page('c', false, change(2)));
  const store = memoryCursor('a');
  const seen: unknown[] = [];
  await follow(client, {
    cursors: store,
    untilCurrent: true,
    onChanges: async (changes) => void seen.push([store.saved.at(-1), ...changes.map(({ position }) => position)]),
  });
  expect(seen).toEqual([
    [undefined, 1],
    ['b', 2],
  ]);
  expect([cursors, store.saved]).toEqual([
    ['a', 'b'],
    ['b', 'c'],
  ]);
});

test('saves the cursor of a page without changes', async () => {
  const { client } = await scripted(page('b', false));
  const store = memoryCursor('a');
  await follow(client, {
    cursors: store,
    untilCurrent: true,
    onChanges: () => Promise.reject(new Error('no changes')),
  });
  expect(store.saved).toEqual(['b']);
});

test('keeps the cursor if the changes cannot be applied', async () => {
  const { client } = await scripted(page('b', false, change(1)));
  const store = memoryCursor('a');
  const onChanges = () => Promise.reject(new Error('disk full'));
  await expect(follow(client, { cursors: store, untilCurrent: true, onChanges })).rejects.toThrow('disk full');
  expect(store.saved).toEqual([]);
});

test('requests the same page again after a server error', async () => {
  const busy: Reply = { status: 503, headers: { 'Retry-After': '1' } };
  const { client, cursors } = await scripted(busy, page('b', false, change(1)));
  const delays: number[] = [];
  await follow(client, {
    cursors: memoryCursor('a'),
    untilCurrent: true,
    onChanges: async () => undefined,
    onRetry: (_, delayMs) => delays.push(delayMs),
  });
  expect(cursors).toEqual(['a', 'a']);
  expect(delays).toEqual([expect.any(Number)]);
  expect(delays[0]).toBeGreaterThanOrEqual(1_250);
});

test('throws for a request that cannot succeed', async () => {
  const { client } = await scripted({ status: 401, body: { detail: 'Invalid API key' } });
  const following = follow(client, { cursors: memoryCursor(), onChanges: async () => undefined });
  await expect(following).rejects.toMatchObject({ name: 'ApiError', status: 401 });
});

test('reports a service whose feed is off', async () => {
  const { client } = await scripted({ status: 409, body: { detail: 'The feed is off.' } });
  const following = follow(client, { cursors: memoryCursor(), onChanges: async () => undefined });
  await expect(following).rejects.toThrow(FeedOffError);
});

test('reports an expired cursor without an onExpired handler', async () => {
  const { client } = await scripted({ status: 410, body: { detail: 'Too old' } });
  const following = follow(client, { cursors: memoryCursor('a'), onChanges: async () => undefined });
  await expect(following).rejects.toThrow(CursorExpiredError);
});

test("continues from a new copy's cursor after a 410 response", async () => {
  const { client, cursors } = await scripted({ status: 410 }, page('z', false, change(9)));
  const store = memoryCursor('a');
  await follow(client, {
    cursors: store,
    untilCurrent: true,
    onChanges: async () => undefined,
    onExpired: async () => 'y',
  });
  expect([cursors, store.saved]).toEqual([
    ['a', 'y'],
    ['y', 'z'],
  ]);
});

test('retries a new copy after a transient failure', async () => {
  const { client, cursors } = await scripted({ status: 410 }, { status: 503 }, page('z', false));
  let attempts = 0;
  await follow(client, {
    cursors: memoryCursor('a'),
    untilCurrent: true,
    onChanges: async () => undefined,
    onExpired: async () => {
      attempts++;
      if (attempts === 1) await client.listChanges({ query: { cursor: 'of the copy' } });
      return 'y';
    },
  });
  expect([attempts, cursors]).toEqual([2, ['a', 'of the copy', 'y']]);
});

test('returns when the signal aborts a waiting request', async () => {
  const { client, cursors } = await scripted(page('b', false));
  const stop = new AbortController();
  const following = follow(client, { cursors: memoryCursor(), onChanges: async () => undefined, signal: stop.signal });
  await expect.poll(() => cursors).toEqual([null, 'b']);
  stop.abort();
  await following;
});
