import type { AccountsOptions } from '@healthd/daemon/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ADMIN, startTestService, type TestService } from '../../support/service.js';
import { deviceRoute } from './device-route.js';
import { logIn } from './log-in.js';
import { startSecondInstance } from './second-instance.js';

const TOO_MANY = { detail: 'Too many attempts. Try again later.' };
const UNKNOWN = '11111111-2222-4333-8444-555555555555';
const limits: AccountsOptions['limits'] = {
  perAddress: { login: 6, token: 6, refresh: 6, redeem: 6, accept: 6 },
  perAccount: { token: 3, refresh: 3 },
};
let service: TestService;
let second: Awaited<ReturnType<typeof startSecondInstance>>;
beforeAll(async () => {
  service = await startTestService({ limits, bindings: [deviceRoute] });
  second = await startSecondInstance(service, { limits });
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

describe('calls from one address', () => {
  test.each([
    ['login', '/auth/login', {}],
    ['token exchange', `/users/${UNKNOWN}/token`, { app_id: 'app_x', app_secret: 'x' }],
    ['refresh', '/token/refresh', { refresh_token: 'rt-x' }],
    ['revocation', '/token/revoke', { refresh_token: 'rt-x' }],
    ['redemption of codes', '/invitation-code/redeem', { code: 'ABCDEFGH' }],
    ['acceptance of invitations', '/invitations/accept', {}],
  ])('are limited for %s, in all processes together', async (_name, path, body) => {
    for (const url of [service.url, second.url]) {
      for (let call = 0; call < 3; call += 1) expect((await post(path, body, url)).status).not.toBe(429);
    }
    for (const url of [service.url, second.url]) {
      const refused = await post(path, body, url);
      expect(refused.status).toBe(429);
      expect(await refused.json()).toEqual(TOO_MANY);
      const seconds = Number(refused.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60);
    }
  });

  test('sent at once are counted one by one', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('/token/refresh', { refresh_token: 'x' })));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(6);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(14);
  });

  test('are taken again when the minute is over', async () => {
    for (let call = 0; call < 7; call += 1) await post('/token/refresh', { refresh_token: 'x' });
    await service.pool.query("update call_count set ends_at = now() - interval '1 second'");
    expect((await post('/token/refresh', { refresh_token: 'x' })).status).toBe(401);
  });

  test('are stored without the address', async () => {
    await post('/token/refresh', { refresh_token: 'x' });
    const { rows } = await service.pool.query('select c::text as row from call_count c');
    expect(rows).toHaveLength(1);
    expect(rows[0].row).not.toContain('127.0.0.1');
  });

  test('are never limited for devices that push', async () => {
    const user = (await service.call('POST', '/api/v1/users')).body;
    const { tokens } = await service.logIn();
    const issued = await service.as(tokens.access_token)('POST', `/api/v1/users/${user.id}/token`);
    const push = service.as(issued.body.access_token);
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => push('POST', `/api/v1/sdk/users/${user.id}/test`)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
  });
});

describe('calls of one account', () => {
  test('are limited for an application, counting its own only', async () => {
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

  test('are limited for a session, which goes on afterwards', async () => {
    const { tokens } = await service.logIn();
    let token = tokens.refresh_token;
    for (let call = 0; call < 3; call += 1) {
      const answer = await post('/token/refresh', { refresh_token: token });
      token = ((await answer.json()) as { refresh_token: string }).refresh_token;
    }
    expect((await post('/token/refresh', { refresh_token: token })).status).toBe(429);
    await service.pool.query('delete from call_count');
    expect((await post('/token/refresh', { refresh_token: token })).status).toBe(200);
  });
});

describe('wrong passwords in a row', () => {
  let locking: TestService;
  beforeAll(async () => {
    locking = await startTestService({ failuresBeforeWait: 3 });
  });
  afterAll(() => locking.stop());
  beforeEach(() => locking.pool.query('delete from login_failure'));
  const attempt = (password: string, email = ADMIN.adminEmail) => logIn(locking.anonymous, email, password);
  const endWait = () => locking.pool.query('update login_failure set locked_until = now()');

  test('make the account wait, also for the right one, twice as long each time', async () => {
    const waits: number[] = [];
    for (let failure = 1; failure <= 6; failure += 1) {
      expect((await attempt('wrong')).status).toBe(401);
      if (failure < 3) continue;
      const refused = await attempt(ADMIN.adminPassword);
      expect([refused.status, refused.body]).toEqual([429, TOO_MANY]);
      const seconds = Number(refused.headers.get('retry-after'));
      const { rows } = await locking.pool.query(
        'select extract(epoch from locked_until - last_at)::int as wait from login_failure',
      );
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(rows[0].wait);
      waits.push(rows[0].wait);
      await endWait();
    }
    expect(waits).toEqual([5, 10, 20, 40]);
    await locking.pool.query('update login_failure set failures = 1000, locked_until = now()');
    await attempt('wrong');
    expect(Number((await attempt('wrong')).headers.get('retry-after'))).toBeGreaterThan(890);
  });

  test('count alike for an account that does not exist', async () => {
    const statuses = [];
    for (let call = 0; call < 4; call += 1) statuses.push((await attempt('wrong', 'nobody@clinic.example')).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  test('are forgotten with the right one', async () => {
    for (const password of ['wrong', 'wrong', ADMIN.adminPassword, 'wrong', 'wrong']) await attempt(password);
    expect((await attempt(ADMIN.adminPassword)).status).toBe(200);
  });

  test('sent at once are no way around the wait', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => attempt('wrong')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(17);
  });

  test('count where a password is changed, too', async () => {
    const { call } = await locking.logIn();
    const change = () =>
      call('POST', '/api/v1/auth/change-password', {
        ...{ current_password: 'wrong', new_password: 'long enough', confirm_password: 'long enough' },
      });
    const statuses = [];
    for (let calls = 0; calls < 4; calls += 1) statuses.push((await change()).status);
    expect(statuses).toEqual([400, 400, 400, 429]);
  });

  test('no longer count when the operator resets the password', async () => {
    for (let call = 0; call < 3; call += 1) await attempt('wrong');
    const { password } = await locking.accounts.developers.resetPassword(ADMIN.adminEmail, ADMIN.adminPassword);
    expect((await attempt(password)).status).toBe(200);
  });
});
