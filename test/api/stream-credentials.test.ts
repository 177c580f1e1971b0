import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUser } from '../support/recorded-user.js';
import { startTestService, type TestService } from '../support/service.js';
import { eventually } from './import-fixture.js';

const soon = (check: () => void | Promise<void>) => eventually(check, 30);
const PER_CALLER = 3;

let service: TestService;
let paths: string[];
beforeAll(async () => {
  service = await startTestService({ overrides: { heartbeatMs: 100, streamsPerCaller: PER_CALLER } });
  const { id } = await newUser(service);
  paths = ['/api/v1/sync/stream', `/api/v1/users/${id}/sync/stream`];
});
afterAll(() => service.stop());

/** Opens a stream and collects its text until it ends. */
async function open(path: string, headers: Record<string, string>) {
  const abort = new AbortController();
  const response = await fetch(service.url + path, { headers, signal: abort.signal });
  const stream = { response, text: '', ended: false, leave: () => abort.abort() };
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      stream.text += decoder.decode(chunk, { stream: true });
    }
    stream.ended = true;
  };
  void read().catch(() => undefined);
  return stream;
}

const beats = ({ text }: { text: string }) => text.match(/: heartbeat\n\n/g)?.length ?? 0;

async function newKey(): Promise<{ id: string; headers: Record<string, string> }> {
  const { call } = await service.logIn();
  const { body } = await call('POST', '/api/v1/developer/api-keys', { name: 'streams', scopes: ['read'] });
  return { id: body.id, headers: { [service.gate.apiKeyHeader]: body.key } };
}

test('ends only the streams of a revoked API key', async () => {
  const [revokedKey, otherKey] = [await newKey(), await newKey()];
  const ending = await Promise.all(paths.map((path) => open(path, revokedKey.headers)));
  const going = await Promise.all(paths.map((path) => open(path, otherKey.headers)));
  await soon(() => expect(ending.map(beats).every((count) => count > 1)).toBe(true));
  const { call } = await service.logIn();
  expect((await call('DELETE', `/api/v1/developer/api-keys/${revokedKey.id}`)).status).toBe(200);
  await soon(() => expect(ending.map(({ ended }) => ended)).toEqual([true, true]));
  const before = going.map(beats);
  await soon(() => expect(going.every((stream, index) => beats(stream) > (before[index] ?? 0) + 2)).toBe(true));
  for (const stream of going) stream.leave();
});

test("ends open streams with the developer's session", async () => {
  const { tokens, call } = await service.logIn();
  const headers = { Authorization: `Bearer ${tokens.access_token}` };
  const ending = await Promise.all(paths.map((path) => open(path, headers)));
  await soon(() => expect(ending.map(beats).every((count) => count > 1)).toBe(true));
  expect((await call('POST', '/api/v1/auth/logout')).status).toBe(200);
  await soon(() => expect(ending.map(({ ended }) => ended)).toEqual([true, true]));
});

test("rejects a stream above the caller's own limit", async () => {
  const [key, other] = [await newKey(), await newKey()];
  const [all = '', own = ''] = paths;
  const streams = await Promise.all([all, own, own].map((path) => open(path, key.headers)));
  expect(streams.map(({ response }) => response.status)).toEqual([200, 200, 200]);
  for (const path of paths) {
    const rejected = await fetch(service.url + path, { headers: key.headers });
    expect([rejected.status, Number(rejected.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(await rejected.json()).toEqual({
      detail: '3 streams are already open with these credentials. End one of them, or follow all users on one stream.',
    });
  }
  const elsewhere = await open(all, other.headers);
  expect(elsewhere.response.status).toBe(200);
  streams[0]?.leave();
  await soon(async () => {
    const again = await open(own, key.headers);
    streams.push(again);
    expect(again.response.status).toBe(200);
  });
  for (const stream of [...streams, elsewhere]) stream.leave();
  await soon(() => expect(service.parts.push.streams.open).toBe(0));
});
