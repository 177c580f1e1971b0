import { request } from 'node:http';
import { createServer } from 'node:net';
import {
  bind,
  createApp,
  createMetrics,
  ListenError,
  mountDocuments,
  mountProbes,
  mountRoot,
  StreamingResponse,
  startServer,
} from '@healthd/daemon/http';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let jobsFail = false;
const failures: unknown[] = [];

beforeAll(async () => {
  service = await startTestService({
    serviceName: 'Clinic',
    mount: (app) => {
      mountRoot(app);
      mountProbes(
        app,
        {
          database: async () => void (await service.pool.query('select 1')),
          jobs: async () => {
            if (jobsFail) throw new Error('password of the job store');
          },
        },
        (part, error) => failures.push([part, error]),
      );
      mountDocuments(app, [], { title: 'healthd', apiKeyHeader: 'X-Clinic-API-Key' });
    },
  });
});
afterAll(() => service.stop());

describe('probes', () => {
  test('responds to live and ready without credentials', async () => {
    expect((await service.anonymous('GET', '/health/live')).body).toEqual({ status: 'live' });
    const ready = await service.anonymous('GET', '/health/ready');
    expect([ready.status, ready.body]).toEqual([
      200,
      { status: 'ready', checks: { database: 'ok', jobs: 'ok' }, disk: 'ok' },
    ]);
  });

  test('names the failing part without the reason', async () => {
    jobsFail = true;
    const response = await service.anonymous('GET', '/health/ready');
    jobsFail = false;
    expect(response.status).toBe(503);
    expect(response.body).toEqual({ status: 'not_ready', checks: { database: 'ok', jobs: 'failing' }, disk: 'ok' });
    expect(failures).toEqual([['jobs', new Error('password of the job store')]]);
  });

  test('reports at the root that the server is running', async () => {
    expect((await service.anonymous('GET', '/')).body).toEqual({ message: 'Server is running!' });
  });
});

describe('the API browser', () => {
  test('is one local page without inline scripts', async () => {
    const page = await service.anonymous('GET', '/docs');
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.body).not.toMatch(/<script(?![^>]* src=)/);
    const links = [...String(page.body).matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => String(match[1]));
    expect(links.length).toBeGreaterThanOrEqual(3);
    for (const link of links) {
      expect(link).toMatch(/^\/docs\//);
      const file = await service.anonymous('GET', link);
      expect(file.status).toBe(200);
      expect(file.headers.get('content-type')).toMatch(/javascript|css|png/);
    }
  });

  test('serves no other file of its package', async () => {
    for (const path of ['/docs/package.json', '/docs/index.js', '/docs/../package.json', '/docs/%2e%2e/package.json']) {
      expect((await service.anonymous('GET', path)).status).toBe(404);
    }
  });

  test('responds 304 to clients that have the current document', async () => {
    const first = await service.anonymous('GET', '/openapi.json');
    expect(first.body).toMatchObject({ openapi: '3.1.0', info: { version: '0.3.0' } });
    const etag = String(first.headers.get('etag'));
    const headers = { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' };
    expect((await service.anonymous('GET', '/openapi.json', undefined, headers)).status).toBe(304);
  });
});

test("returns the key's header in the configuration, only to developers", async () => {
  expect((await service.call('GET', '/api/v1/config')).status).toBe(401);
  const { call } = await service.logIn();
  expect((await call('GET', '/api/v1/config')).body).toEqual({
    outgoing_webhooks_enabled: false,
    sandbox: null,
    api_key_header: 'X-Clinic-API-Key',
    pull_sync_lookback_seconds: null,
  });
});

test('returns the status of all dependencies only to developers', async () => {
  expect((await service.call('GET', '/api/v1/system/status')).status).toBe(401);
  const { call } = await service.logIn();
  await service.pool.query(
    "insert into pending_repair (user_key, repair, retry_at) values (1, 'night_sources', now() + interval '1 hour')",
  );
  const { body } = await call('GET', '/api/v1/system/status');
  const { rows } = await service.pool.query('show server_version');
  expect(body).toMatchObject({
    version: '0.3.0',
    node_version: process.versions.node,
    postgres_version: rows[0].server_version.split(' ')[0],
    disks: [{ holds: 'uploads', free_bytes: expect.any(Number), capacity_bytes: expect.any(Number) }],
    job_store: { kind: 'postgres' },
    sealed: [{ values: 0, is_current: true, is_known: true }],
    repairs: [{ title: 'Rebuilding nights', users_done: 0, users_total: 1, users_failed: 1 }],
  });
  expect(body.disks[0].capacity_bytes).toBeGreaterThan(body.disks[0].free_bytes);
  // Both clocks belong to this machine, so the difference is the duration of the query.
  expect(Math.abs(body.database_clock_ahead_seconds)).toBeLessThan(30);
});

test('reports a process whose FEED differs from the feed', async () => {
  const { call } = await service.logIn();
  const feed = async () => (await call('GET', '/api/v1/system/status')).body.feed;
  expect(await feed()).toMatchObject({ is_on: true, has_other_setting: false });
  await service.pool.query('update feed_state set is_on = false');
  expect(await feed()).toMatchObject({ is_on: false, has_other_setting: true });
  await service.pool.query('update feed_state set is_on = true');
});

test('reports encrypted values by key fingerprint, including unknown keys', async () => {
  const developer = await service.logIn();
  const { body: made } = await developer.call('POST', '/api/v1/invitations', { email: 'grace@clinic.example' });
  const sealed = async () => (await developer.call('GET', '/api/v1/system/status')).body.sealed;
  const [{ key_id }] = await sealed();
  expect(await sealed()).toEqual([{ key_id, values: 1, is_current: true, is_known: true }]);
  await service.pool.query(
    `update developer_invitation set token_sealed = replace(token_sealed, $2, 'ffff0000') where id = $1`,
    [made.id, key_id],
  );
  expect(await sealed()).toEqual([
    { key_id, values: 0, is_current: true, is_known: true },
    { key_id: 'ffff0000', values: 1, is_current: false, is_known: false },
  ]);
});

test('counts requests by route and status instead of path', async () => {
  const metrics = createMetrics();
  const hello = {
    id: 'hello',
    method: 'GET',
    path: '/hello/{name}',
    tag: 'Meta',
    summary: 'Test',
    status: 200,
    auth: 'public',
    audit: { exempt: 'test' },
  } as const;
  const server = await serve([bind(hello, async () => ({}) as never)], metrics.observe);
  const scraped = await startServer({ app: metrics.app, host: '127.0.0.1', port: 0 });
  await fetch(`http://127.0.0.1:${server.port}/hello/anna`);
  const scrape = async () => (await fetch(`http://127.0.0.1:${scraped.port}/metrics`)).text();
  await vi.waitFor(
    async () =>
      expect(await scrape()).toContain('healthd_http_request_duration_seconds_count{route="hello",status="200"} 1'),
    { timeout: 120_000 },
  );
  const text = await scrape();
  expect(text).toContain('process_cpu_seconds_total');
  expect(text).not.toContain('anna');
  await Promise.all([server.close(1), scraped.close(1)]);
});

describe('the server', () => {
  test('reports a port in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const error = await serve([], undefined, port).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(ListenError);
    expect(error).toMatchObject({
      code: 'port_in_use',
      message: `Port ${port} on 127.0.0.1 is already in use. Set PORT to another port.`,
    });
    other.close();
  });

  test('reports an unavailable address', async () => {
    const error = await startServer({ app: metricsApp(), host: '203.0.113.7', port: 0 }).catch((f: unknown) => f);
    expect(error).toMatchObject({ code: 'address_unavailable' });
  });

  const slow = {
    id: 'slow',
    method: 'GET',
    path: '/slow',
    tag: 'Meta',
    summary: 'Test',
    status: 200,
    auth: 'public',
    audit: { exempt: 'test' },
  } as const;

  test('finishes running requests before it stops', async () => {
    let started = () => {};
    const requestStarted = new Promise<void>((resolve) => {
      started = resolve;
    });
    const server = await serve([
      bind(slow, async () => {
        started();
        await new Promise((resolve) => setTimeout(resolve, 300));
        return { done: true } as never;
      }),
    ]);
    const url = `http://127.0.0.1:${server.port}/slow`;
    const pendingBody = fetch(url).then((response) => response.json());
    await requestStarted;
    // The deadline is longer than any test, so only the end of the request can close the server.
    const closed = server.close(3600);
    await expect(fetch(url)).rejects.toThrow();
    expect(await pendingBody).toEqual({ done: true });
    await closed;
  });

  test('cuts off requests that do not end before the deadline', async () => {
    async function* never() {
      yield 'x';
      await new Promise(() => undefined);
    }
    const server = await serve([bind(slow, async () => new StreamingResponse(never()))]);
    const broken = new Promise((resolve) => {
      request(`http://127.0.0.1:${server.port}/slow`, (response) => {
        response.resume();
        response.once('error', resolve);
      }).end();
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await server.close(0.3);
    expect(await broken).toBeInstanceOf(Error);
  });
});

function metricsApp() {
  return createMetrics().app;
}

function serve(
  bindings: Parameters<typeof createApp>[0]['bindings'],
  observe?: Parameters<typeof createApp>[0]['observe'],
  port = 0,
) {
  const app = createApp({
    bindings,
    observe,
    checkAnswers: true,
    errorFormat: 'standard',
    trustProxy: false,
    log: pino({ level: 'silent' }),
    authenticate: async () => ({ kind: 'public' }),
    findUser: async () => undefined,
    audit: () => undefined,
  });
  return startServer({ app, host: '127.0.0.1', port });
}
