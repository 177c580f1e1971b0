import type { AccountsOptions } from '@healthd/daemon/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startSecondService, startTestService, type TestService } from '../../support/service.js';
import { deviceRoute } from './device-route.js';

const UNKNOWN = '11111111-2222-4333-8444-555555555555';
const limits: AccountsOptions['limits'] = {
  perAddress: { login: 6, token: 6, refresh: 6, redeem: 6, accept: 6, connect: 6 },
  perAccount: { token: 3, refresh: 3 },
};
let service: TestService;
let second: Awaited<ReturnType<typeof startSecondService>>;
beforeAll(async () => {
  service = await startTestService({ limits, bindings: [deviceRoute] });
  second = await startSecondService(service.database, { limits });
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});
beforeEach(() => service.pool.query('delete from call_count'));

const post = (path: string, body: unknown, url = service.url) =>
  fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('calls from one IP address', () => {
  test.each([
    ['login', '/auth/login', {}],
    ['token exchange', `/users/${UNKNOWN}/token`, { app_id: 'app_x', app_secret: 'x' }],
    ['refresh', '/token/refresh', { refresh_token: 'rt-x' }],
    ['revocation', '/token/revoke', { refresh_token: 'rt-x' }],
    ['redemption of codes', '/invitation-code/redeem', { code: 'ABCDEFGH' }],
    ['acceptance of invitations', '/invitations/accept', {}],
  ])('are limited for %s across all processes', async (_name, path, body) => {
    for (const url of [service.url, second.url]) {
      for (let call = 0; call < 3; call += 1) expect((await post(path, body, url)).status).not.toBe(429);
    }
    for (const url of [service.url, second.url]) {
      const rejected = await post(path, body, url);
      expect(rejected.status).toBe(429);
      const seconds = Number(rejected.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60);
    }
  });

  test('are limited to six if 20 calls arrive concurrently', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => post('/token/refresh', { refresh_token: 'x' })),
    );
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(6);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(14);
  });

  test('are accepted again after a minute', async () => {
    for (let call = 0; call < 7; call += 1) await post('/token/refresh', { refresh_token: 'x' });
    await service.pool.query("update call_count set ends_at = now() - interval '1 second'");
    expect((await post('/token/refresh', { refresh_token: 'x' })).status).toBe(401);
  });

  test('are counted without storing the IP address', async () => {
    await post('/token/refresh', { refresh_token: 'x' });
    const { rows } = await service.pool.query('select c::text as row from call_count c');
    expect(rows).toHaveLength(1);
    expect(rows[0].row).not.toContain('127.0.0.1');
  });

  test('are unlimited for device pushes', async () => {
    const user = (await service.call('POST', '/api/v1/users')).body;
    const { tokens } = await service.logIn();
    const issued = await service.as(tokens.access_token)('POST', `/api/v1/users/${user.id}/token`);
    const push = service.as(issued.body.access_token);
    const responses = await Promise.all(
      Array.from({ length: 200 }, () => push('POST', `/api/v1/sdk/users/${user.id}/test`)),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([204]));
  });
});

describe('calls of one account', () => {
  test('are limited per application, counting only valid secrets', async () => {
    const { call } = await service.logIn();
    const user = (await service.call('POST', '/api/v1/users')).body;
    const { app_id, app_secret } = (await call('POST', '/api/v1/applications', { name: 'App' })).body;
    const exchange = async (secret: string) =>
      (await post(`/users/${user.id}/token`, { app_id, app_secret: secret })).status;
    const statuses = [];
    for (const secret of ['wrong', 'wrong', app_secret, app_secret, app_secret]) statuses.push(await exchange(secret));
    expect(statuses).toEqual([401, 401, 200, 200, 200]);
    await service.pool.query('delete from call_count where calls > 3');
    expect(await exchange(app_secret)).toBe(429);
  });

  test('are limited per session without ending the session', async () => {
    const { tokens } = await service.logIn();
    let token = tokens.refresh_token;
    for (let call = 0; call < 3; call += 1) {
      const response = await post('/token/refresh', { refresh_token: token });
      token = ((await response.json()) as { refresh_token: string }).refresh_token;
    }
    expect((await post('/token/refresh', { refresh_token: token })).status).toBe(429);
    await service.pool.query('delete from call_count');
    expect((await post('/token/refresh', { refresh_token: token })).status).toBe(200);
  });
});
