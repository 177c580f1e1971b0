import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN, startTestService, type TestService } from '../support/service.js';

const CONSOLE = { 'X-Healthd-Console': '1' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const SESSION = '/api/v1/auth/session';
const UNKNOWN = `rt-${'0'.repeat(64)}`;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ graceSeconds: 0 });
});
afterAll(() => service.stop());

const form = (password: string) => new URLSearchParams({ username: ADMIN.adminEmail, password }).toString();
const logIn = (password = ADMIN.adminPassword) =>
  service.anonymous('POST', SESSION, form(password), { ...CONSOLE, ...FORM });

/** Returns a response's cookie in the format of the Cookie header. */
function cookieOf(response: { headers: Headers }): string {
  return (response.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
}
const renew = (cookie: string, headers: Record<string, string> = CONSOLE) =>
  service.anonymous('POST', `${SESSION}/refresh`, undefined, { Cookie: cookie, ...headers });

describe('logging in from the console', () => {
  test('puts the refresh token into a cookie that scripts cannot read', async () => {
    const response = await logIn();
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 3600,
      developer_id: expect.any(String),
    });
    expect(response.headers.get('set-cookie')).toMatch(
      /^healthd_session=rt-[0-9a-f]+; Max-Age=2592000; Path=\/api\/v1\/auth; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    );
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect((await service.as(response.body.access_token)('GET', '/api/v1/auth/me')).status).toBe(200);
  });

  test('marks the cookie Secure if the service uses https', async () => {
    const other = await startTestService({ secureCookie: true });
    const response = await other.anonymous('POST', SESSION, form(ADMIN.adminPassword), { ...CONSOLE, ...FORM });
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^__Secure-healthd_session=.*; Secure; SameSite=Strict$/);
    await other.stop();
  });

  test('replaces a cookie that an earlier version set without a prefix', async () => {
    const other = await startTestService({ secureCookie: true });
    const response = await other.anonymous('POST', SESSION, form(ADMIN.adminPassword), { ...CONSOLE, ...FORM });
    const value = /=([^;]+)/.exec(response.headers.getSetCookie()[0] ?? '')?.[1];
    const Cookie = `healthd_session=${value}`;
    const renewed = await other.anonymous('POST', `${SESSION}/refresh`, undefined, { ...CONSOLE, Cookie });
    expect(renewed.status).toBe(200);
    const [secure, plain] = renewed.headers.getSetCookie();
    expect(secure).toMatch(/^__Secure-healthd_session=rt-/);
    expect(plain).toMatch(/^healthd_session=; .*Expires=Thu, 01 Jan 1970/);
    await other.stop();
  });

  test('sets no cookie for a wrong password', async () => {
    const response = await logIn('wrong');
    expect(response.status).toBe(401);
    expect(response.body).toEqual({ detail: 'Incorrect email or password' });
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  test('returns both tokens in the body to other clients', async () => {
    const response = await service.anonymous('POST', '/api/v1/auth/login', form(ADMIN.adminPassword), FORM);
    expect(response.body.refresh_token).toMatch(/^rt-/);
    expect(response.headers.get('set-cookie')).toBeNull();
  });
});

describe('a reloaded page', () => {
  test('gets a new access token and a new cookie', async () => {
    const first = cookieOf(await logIn());
    const response = await renew(first);
    expect(response.status).toBe(200);
    expect(response.body).not.toHaveProperty('refresh_token');
    expect((await service.as(response.body.access_token)('GET', '/api/v1/auth/me')).status).toBe(200);
    const second = cookieOf(response);
    expect(second).toMatch(/^healthd_session=rt-/);
    expect(second).not.toBe(first);
    expect((await renew(`theme=dark; ${second}; other=1`)).status).toBe(200);
  });

  test.each([
    ['no cookie', ''],
    ['an unknown cookie', `healthd_session=${UNKNOWN}`],
    ['an empty cookie', 'healthd_session='],
  ])('with %s requires a login and clears the cookie', async (_case, cookie) => {
    const response = await renew(cookie);
    expect(response.status).toBe(401);
    expect(response.headers.get('set-cookie')).toMatch(
      /^healthd_session=; Path=\/api\/v1\/auth; Expires=Thu, 01 Jan 1970/,
    );
  });

  test('ends the session when a replaced cookie is used again', async () => {
    const stolen = cookieOf(await logIn());
    const own = cookieOf(await renew(stolen));
    expect((await renew(stolen)).status).toBe(401);
    expect((await renew(own)).status).toBe(401);
  });

  test('is rejected with a device token in the cookie', async () => {
    const { id } = (await service.call('POST', '/api/v1/users')).body;
    const { call } = await service.logIn();
    const device = (await call('POST', `/api/v1/users/${id}/token`)).body;
    const response = await renew(`healthd_session=${device.refresh_token}`);
    expect(response.status).toBe(401);
    expect(JSON.stringify(response.body)).not.toContain('access_token');
  });
});

describe('a page of another site', () => {
  test.each([
    ['log in', 'POST', SESSION],
    ['renew', 'POST', `${SESSION}/refresh`],
    ['log out', 'DELETE', SESSION],
  ])("cannot %s without the console's header", async (_what, method, path) => {
    const login = await logIn();
    const cookie = cookieOf(login);
    const body = path === SESSION && method === 'POST' ? form(ADMIN.adminPassword) : undefined;
    const response = await service.anonymous(method, path, body, { Cookie: cookie, ...(body ? FORM : {}) });
    expect(response.status).toBe(403);
    expect(response.headers.get('set-cookie')).toBeNull();
    expect((await renew(cookie)).status).toBe(200);
  });

  test('is rejected by the preflight', async () => {
    const response = await service.anonymous('OPTIONS', `${SESSION}/refresh`, undefined, {
      Origin: 'https://elsewhere.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'x-healthd-console',
    });
    expect(response.status).toBe(400);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('logging out of the console', () => {
  test("ends the session's tokens and cookie", async () => {
    const login = await logIn();
    const cookie = cookieOf(login);
    const response = await service.anonymous('DELETE', SESSION, undefined, { Cookie: cookie, ...CONSOLE });
    expect(response.status).toBe(204);
    expect(response.headers.get('set-cookie')).toMatch(
      /^healthd_session=; Path=\/api\/v1\/auth; Expires=Thu, 01 Jan 1970/,
    );
    expect((await renew(cookie)).status).toBe(401);
    expect((await service.as(login.body.access_token)('GET', '/api/v1/auth/me')).status).toBe(401);
  });

  test.each(['', `healthd_session=${UNKNOWN}`])('responds 204 without a valid session (%s)', async (cookie) => {
    const response = await service.anonymous('DELETE', SESSION, undefined, { Cookie: cookie, ...CONSOLE });
    expect(response.status).toBe(204);
  });
});

test('records login, refresh and logout in the audit trail', async () => {
  const cookie = cookieOf(await renew(cookieOf(await logIn())));
  await service.anonymous('DELETE', SESSION, undefined, { Cookie: cookie, ...CONSOLE });
  await service.audit.flush();
  const { call } = await service.logIn();
  const { data } = (await call('GET', '/api/v1/audit?resource=session&limit=3')).body;
  expect(data.map(({ action, actor_type, outcome }: Record<string, string>) => [action, actor_type, outcome])).toEqual([
    ['logout', 'developer', 'success'],
    ['refresh', 'developer', 'success'],
    ['login', 'developer', 'success'],
  ]);
});
