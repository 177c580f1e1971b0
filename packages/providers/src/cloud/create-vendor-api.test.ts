import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createVendorApi } from './create-vendor-api.js';
import { html, json, type Responder, VendorServer } from './testing/vendor-server.js';
import type { VendorApi, VendorRequest } from './vendor-api.js';
import type { VendorApiOptions } from './vendor-call.js';
import { VendorError } from './vendor-error.js';

let server: VendorServer;
let tokens: string[];
let renewals: string[];

beforeAll(async () => {
  server = await new VendorServer().start();
});
afterAll(() => server.stop());
beforeEach(() => {
  tokens = ['first', 'second', 'third'];
  renewals = [];
});

const ok = json(200, { ok: true });
const cut: Responder = (response) => response.socket?.destroy();
const STEPS = { path: '/v4/steps' };

function api(options: Partial<VendorApiOptions> = {}): VendorApi {
  return createVendorApi({
    addresses: { api: server.origin, authorize: '', token: '' },
    tokens: {
      current: async () => tokens[0]!,
      renew: async (rejectedToken) => {
        renewals.push(rejectedToken);
        tokens.shift();
        return tokens[0]!;
      },
    },
    budgets: [],
    maxResponseBytes: 100_000,
    timeoutMs: 5_000,
    ...options,
  });
}

async function failure(call: Promise<unknown>): Promise<VendorError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof VendorError)) throw error ?? new Error('the call succeeded');
  expect(error.message).not.toMatch(/vendor|secret/);
  expect(error.cause).toBeUndefined();
  return error;
}

it('calls the vendor with token, query and JSON', async () => {
  server.answer(ok);
  const request: VendorRequest = {
    method: 'POST',
    path: '/v4/steps:rollUp',
    query: { pageSize: 10, pageToken: undefined, filter: 'a >= "b"' },
    body: { windowSize: '3600s' },
  };
  expect(await api({ headers: { 'x-project': '12' } }).call(request)).toEqual({ ok: true });
  const [seen] = server.seen;
  expect(seen?.method).toBe('POST');
  expect(seen?.url).toBe('/v4/steps:rollUp?pageSize=10&filter=a+%3E%3D+%22b%22');
  expect(seen?.headers.authorization).toBe('Bearer first');
  expect(seen?.headers['x-project']).toBe('12');
  expect(JSON.parse(seen?.body ?? '')).toEqual({ windowSize: '3600s' });
});

it('sends a form instead of JSON', async () => {
  server.answer(ok);
  await api().call({ method: 'POST', path: '/subscriptions', form: { url: 'https://x/?a=b', id: '7' } });
  const [seen] = server.seen;
  expect(seen?.headers['content-type']).toBe('application/x-www-form-urlencoded');
  expect(seen?.body).toBe('url=https%3A%2F%2Fx%2F%3Fa%3Db&id=7');
});

it('returns undefined for an empty response', async () => {
  server.answer((response) => response.writeHead(204).end());
  expect(await api().call(STEPS)).toBeUndefined();
  server.answer((response) => response.writeHead(200, { 'content-type': 'application/json' }).end());
  expect(await api().call(STEPS)).toBeUndefined();
});

it('calls only configured URLs, whatever the path', async () => {
  server.answer(ok);
  const addresses = {
    api: `${server.origin}/base/`,
    authorize: '',
    token: '',
    userInfo: `${server.origin}/me?alt=json`,
  };
  await api({ addresses }).call(STEPS);
  await api({ addresses }).call({ base: 'userInfo', path: '', query: { a: 1 } });
  await api({ addresses }).call({ path: '//other.example/x' });
  await api({ addresses }).call({ path: '/@other.example' });
  expect(server.seen.map(({ url }) => url)).toEqual([
    '/base/v4/steps',
    '/me?alt=json&a=1',
    '/base//other.example/x',
    '/base/@other.example',
  ]);
  for (const path of ['@other.example', 'v4', 'http://other.example', '/v4/../admin', '/v4/%2E%2e/admin']) {
    expect((await failure(callOf(addresses, { path }))).code, path).toBe('invalid_request');
  }
  expect((await failure(callOf(addresses, { base: 'nowhere', path: '' }))).code).toBe('operator');
  expect((await failure(callOf({ ...addresses, api: 'file:///etc/hosts' }, STEPS))).code).toBe('operator');
});

async function callOf(addresses: VendorApiOptions['addresses'], request: VendorRequest): Promise<unknown> {
  return api({ addresses }).call(request);
}

it('follows no redirects', async () => {
  server.answer((response) => response.writeHead(302, { location: `${server.origin}/elsewhere` }).end());
  const error = await failure(api().call(STEPS));
  expect(error).toMatchObject({ code: 'invalid_answer', status: 302 });
  expect(server.seen).toHaveLength(1);
});

it('repeats a request once with a renewed token', async () => {
  server.answer(json(401, {}), ok);
  expect(await api().call({ ...STEPS, method: 'POST', body: {} })).toEqual({ ok: true });
  expect(renewals).toEqual(['first']);
  expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer first', 'Bearer second']);
});

it('fails if the token is rejected again after renewal', async () => {
  server.answer(json(401, {}));
  expect(await failure(api().call(STEPS))).toMatchObject({ code: 'unauthorized', status: 401 });
  expect(server.seen).toHaveLength(2);
  expect(renewals).toEqual(['first']);
});

it('does not renew if a 401 reports a deployment error', async () => {
  server.answer(json(401, { error: 'x' }));
  const error = await failure(
    api({ readError: () => ({ code: 'operator', reason: 'CREDENTIALS_MISSING' }) }).call(STEPS),
  );
  expect(error).toMatchObject({ code: 'operator', reason: 'CREDENTIALS_MISSING', status: 401 });
  expect(renewals).toEqual([]);
});

it('passes on the error of a failed renewal', async () => {
  server.answer(json(401, {}));
  const dead = new VendorError({ code: 'unauthorized', reason: 'invalid_grant' });
  const call = api({ tokens: { current: async () => 'x', renew: () => Promise.reject(dead) } }).call(STEPS);
  await expect(call).rejects.toBe(dead);
});

it("passes on a rate limit's retry delay without sleeping", async () => {
  server.answer(json(429, {}, { 'retry-after': '30' }));
  expect(await failure(api().call(STEPS))).toMatchObject({ code: 'rate_limited', retryAfterMs: 30_000 });
  const date = new Date(Date.now() + 60_000).toUTCString();
  server.answer(json(429, {}, { 'retry-after': date }));
  const { retryAfterMs } = await failure(api().call(STEPS));
  expect(retryAfterMs).toBeGreaterThan(50_000);
  expect(retryAfterMs).toBeLessThanOrEqual(60_000);
  expect(server.seen).toHaveLength(1);
});

it('passes on a rate limit without a retry delay', async () => {
  server.answer(json(429, {}));
  const error = await failure(api().call(STEPS));
  expect([error.code, error.retryAfterMs]).toEqual(['rate_limited', undefined]);
  expect(server.seen).toHaveLength(1);
});

it('waits out rate limits of up to a second, even for writes', async () => {
  server.answer(json(429, {}, { 'retry-after': '1' }), ok);
  const startedMs = performance.now();
  expect(await api().call({ ...STEPS, method: 'PATCH', body: {} })).toEqual({ ok: true });
  expect(performance.now() - startedMs).toBeGreaterThan(950);
});

it('retries a read after server errors, cut connections, HTML and cut JSON', async () => {
  const truncated: Responder = (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"dataPoints":[{"na');
  const short: Responder = (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
    response.write('{"dataPoints":[');
    setTimeout(() => response.destroy(), 20);
  };
  for (const fault of [json(500, {}), json(503, {}), html(502), cut, truncated, short]) {
    server.answer(fault, fault, ok);
    expect(await api().call(STEPS)).toEqual({ ok: true });
    expect(server.seen).toHaveLength(3);
  }
});

it('fails after three attempts at a read', async () => {
  server.answer(html(502));
  const error = await failure(api().call(STEPS));
  expect(error).toMatchObject({ code: 'unavailable', status: 502, isTransient: true });
  expect(server.seen).toHaveLength(3);
});

it('fails with the announced retry delay instead of retrying', async () => {
  server.answer(json(503, {}, { 'retry-after': '120' }));
  expect(await failure(api().call(STEPS))).toMatchObject({ code: 'unavailable', retryAfterMs: 120_000 });
  expect(server.seen).toHaveLength(1);
});

it('retries a failed POST only if it is repeatable', async () => {
  server.answer(json(500, {}));
  await failure(api().call({ ...STEPS, method: 'POST', body: {} }));
  expect(server.seen).toHaveLength(1);
  server.answer(cut, ok);
  expect(await api().call({ ...STEPS, method: 'POST', body: {}, repeatable: true })).toEqual({ ok: true });
});

it('reports a refused connection as unavailable with only a code', async () => {
  const gone = await new VendorServer().start();
  const addresses = { api: gone.origin, authorize: '', token: '' };
  await gone.stop();
  const error = await failure(api({ addresses }).call({ ...STEPS, method: 'DELETE' }));
  expect(error).toMatchObject({ code: 'unavailable', reason: 'ECONNREFUSED', status: undefined });
});

it('times out if a response does not arrive or finish', async () => {
  const silent: Responder = () => undefined;
  const endless: Responder = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"a":');
  };
  for (const fault of [silent, endless]) {
    server.answer(fault);
    expect(await failure(api({ timeoutMs: 200 }).call(STEPS))).toMatchObject({
      code: 'unavailable',
      reason: 'timeout',
    });
    expect(server.seen).toHaveLength(1);
  }
});

it('rejects HTML instead of JSON', async () => {
  server.answer(html(200));
  expect(await failure(api().call(STEPS))).toMatchObject({ code: 'invalid_answer', status: 200 });
  expect(server.seen).toHaveLength(1);
});

it('stops reading a response that is too large, compressed or not', async () => {
  const flood: Responder = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
      if (!response.destroyed) response.once('drain', write);
    };
    write();
  };
  const bomb: Responder = (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(20_000_000, ' ')));
  for (const fault of [flood, bomb]) {
    server.answer(fault);
    expect(await failure(api().call(STEPS))).toMatchObject({ code: 'invalid_answer', reason: 'too_large' });
    expect(server.seen).toHaveLength(1);
  }
});

it("classifies an error by the vendor's code before its status", async () => {
  const body = { error: { status: 'FAILED_PRECONDITION', message: 'secret words of the vendor' } };
  server.answer(json(400, body));
  const read: unknown[] = [];
  const readError = (status: number, parsed: unknown) => {
    read.push(status, parsed);
    return { code: 'account_not_linked', reason: 'ACCOUNT_NOT_LINKED' } as const;
  };
  expect(await failure(api({ readError }).call(STEPS))).toMatchObject({ code: 'account_not_linked', status: 400 });
  expect(read).toEqual([400, body]);
});

it('classifies an error without a code by its status', async () => {
  const codes = { 400: 'invalid_request', 403: 'scope_missing', 404: 'not_found', 409: 'conflict', 410: 'not_found' };
  for (const [status, code] of Object.entries(codes)) {
    server.answer(html(Number(status)));
    expect((await failure(api().call(STEPS))).code).toBe(code);
  }
});

it('charges every request to all budgets, including retries', async () => {
  const taken: string[] = [];
  const budget = (name: string) => ({
    take: async () => {
      taken.push(name);
      return { waitMs: 0 };
    },
  });
  server.answer(json(500, {}), json(401, {}), ok);
  await api({ budgets: [budget('person'), budget('application')] }).call(STEPS);
  expect(taken).toEqual(['person', 'application', 'person', 'application', 'person', 'application']);
});

it('waits only for short budget delays', async () => {
  server.answer(ok);
  const startedMs = performance.now();
  await api({ budgets: [{ take: async () => ({ waitMs: 300 }) }] }).call(STEPS);
  expect(performance.now() - startedMs).toBeGreaterThan(280);
  server.answer(ok);
  const error = await failure(api({ budgets: [{ take: async () => ({ waitMs: 30_000 }) }] }).call(STEPS));
  expect(error.code).toBe('rate_limited');
  expect(error.retryAfterMs).toBeGreaterThanOrEqual(30_000);
  expect(server.seen).toHaveLength(0);
});

it("stops a request, wait or retry with the signal's reason", async () => {
  const reason = new Error('the job was stopped');
  const stopping: [Partial<VendorApiOptions>, Responder][] = [
    [{}, () => undefined],
    [{ budgets: [{ take: async () => ({ waitMs: 1_500 }) }] }, ok],
    [{}, json(429, {}, { 'retry-after': '1' })],
  ];
  for (const [options, responder] of stopping) {
    server.answer(responder);
    const stop = new AbortController();
    let ended: unknown;
    const call = api({ ...options, signal: stop.signal }).call(STEPS);
    call.catch((error: unknown) => {
      ended = error;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    stop.abort(reason);
    // Number of event-loop turns to wait. A call that waits for a timer or response is still pending after them.
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toBe(reason);
  }
});
