import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Call, startTestService, type TestService } from '../../support/service.js';
import { deviceRoute } from './device-route.js';

const UNKNOWN = '11111111-2222-4333-8444-555555555555';
let service: TestService;
let developer: Call;
let developerId: string;
let app: { app_id: string; app_secret: string };
let user: { id: string };
beforeAll(async () => {
  service = await startTestService({ bindings: [deviceRoute] });
  const login = await service.logIn();
  developer = login.call;
  developerId = login.tokens.developer_id;
  const { app_id, app_secret } = (await developer('POST', '/api/v1/applications', { name: 'App' })).body;
  app = { app_id, app_secret };
  user = await newUser();
});
afterAll(() => service.stop());

const newUser = async () => (await service.call('POST', '/api/v1/users')).body as { id: string };
const exchange = (body: unknown, call: Call = service.anonymous, id = user.id) =>
  call('POST', `/api/v1/users/${id}/token`, body);
const refresh = (token: unknown) => service.anonymous('POST', '/api/v1/token/refresh', { refresh_token: token });
const revoke = (token: unknown) => service.anonymous('POST', '/api/v1/token/revoke', { refresh_token: token });
const push = (token: string, id = user.id) => service.as(token)('POST', `/api/v1/sdk/users/${id}/test`);
const claimsOf = (token: string, part = 1) =>
  JSON.parse(Buffer.from(String(token.split('.')[part]), 'base64url').toString());
const aSecond = () => new Promise((resolve) => setTimeout(resolve, 1050));

const INVALID = { detail: 'Invalid app credentials' };

describe('obtaining a token', () => {
  test('gives an application a push token for this user only', async () => {
    const response = await exchange(app);
    expect(response.status).toBe(200);
    expect(Object.keys(response.body).sort()).toEqual(['access_token', 'expires_in', 'refresh_token', 'token_type']);
    expect(response.body).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    expect(response.headers.get('cache-control')).toBe('no-store');
    const { access_token } = response.body;
    expect(claimsOf(access_token, 0)).toEqual({ alg: 'HS256', typ: 'sdk+jwt' });
    const claims = claimsOf(access_token);
    expect(claims).toMatchObject({ sub: user.id, scope: 'sdk', iss: 'healthd', aud: 'sdk', app_id: app.app_id });
    expect(claims.jti).not.toBe(claimsOf((await exchange(app)).body.access_token).jti);
    expect((await push(access_token)).status).toBe(204);
    const elsewhere = await service.as(access_token)('GET', `/api/v1/users/${user.id}`);
    expect(elsewhere.status).toBe(401);
    expect((await push(access_token, (await newUser()).id)).status).toBe(403);
  });

  test.each([
    ['no body', undefined],
    ['a null body', null],
    ['one of two fields', () => ({ app_id: app.app_id })],
    ['empty fields', { app_id: '', app_secret: '' }],
  ])('issues a token to a developer who sends %s', async (_case, body) => {
    const response = await exchange(typeof body === 'function' ? body() : body, developer);
    expect(response.status).toBe(200);
    expect(claimsOf(response.body.access_token).app_id).toBe(`admin:${developerId}`);
  });

  test.each([
    ['a wrong secret', () => ({ ...app, app_secret: `secret_${'0'.repeat(64)}` })],
    ['an unknown application', () => ({ ...app, app_id: `app_${'0'.repeat(32)}` })],
    ['a secret of ten thousand characters', () => ({ ...app, app_secret: 'x'.repeat(10_000) })],
    ['a NUL in the id', () => ({ ...app, app_id: 'app_\0' })],
  ])("is rejected for %s, even with a developer's token", async (_case, body) => {
    for (const call of [service.anonymous, developer]) {
      const response = await exchange(body(), call);
      expect([response.status, response.body]).toEqual([401, INVALID]);
    }
  });

  test('responds 400 without usable credentials, whether or not the user exists', async () => {
    const calls: [unknown, Call][] = [
      [undefined, service.anonymous],
      [{ app_id: app.app_id }, service.anonymous],
      [{ app_id: 7, app_secret: [] }, service.anonymous],
      [undefined, service.call],
      [undefined, service.as('nonsense')],
      [undefined, service.as((await exchange(app)).body.access_token)],
    ];
    for (const [body, call] of calls) {
      for (const id of [user.id, UNKNOWN, 'x']) {
        const response = await exchange(body, call, id);
        expect(response.status).toBe(400);
      }
    }
  });

  test('responds 404 for an unknown user', async () => {
    const unknown = await exchange(app, service.anonymous, UNKNOWN);
    expect([unknown.status, unknown.body]).toEqual([404, { detail: `User with ID: ${UNKNOWN} not found.` }]);
  });

  test('responds 422 for an invalid ID', async () => {
    expect((await exchange(app, service.anonymous, 'x')).status).toBe(422);
  });

  test('is audited with caller and user, without the secret', async () => {
    await exchange(app);
    await service.audit.flush();
    const { rows } = await service.pool.query(
      "select * from audit_event where resource = 'user_token' and outcome = 'success' order by seq desc limit 1",
    );
    expect(rows[0]).toMatchObject({ actor_type: 'application', actor_id: app.app_id, user_id: user.id });
    expect(JSON.stringify(rows) + service.logLines.join('')).not.toContain(app.app_secret.slice(7));
  });
});

describe('refreshing', () => {
  test('keeps the user and the application', async () => {
    const first = (await exchange(app)).body;
    const next = await refresh(first.refresh_token);
    expect(next.status).toBe(200);
    expect(claimsOf(next.body.access_token)).toMatchObject({ sub: user.id, scope: 'sdk', app_id: app.app_id });
    expect((await push(next.body.access_token)).status).toBe(204);
  });

  test('returns the same successor to 50 concurrent refreshes', async () => {
    const { refresh_token } = (await exchange(app)).body;
    const responses = await Promise.all(Array.from({ length: 50 }, () => refresh(refresh_token)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(({ body }) => body.refresh_token)).size).toBe(1);
    const { rows } = await service.pool.query(
      `select count(*) filter (where rotated_at is null) as live, count(*) as n from refresh_token
       where family_id = (select family_id from refresh_token where token_hash = sha256($1::bytea))`,
      [Buffer.from(refresh_token)],
    );
    expect(rows[0]).toEqual({ live: 1, n: 2 });
  });

  test('ends session and access tokens if a replaced token is reused', async () => {
    const first = (await exchange(app)).body;
    const second = (await refresh(first.refresh_token)).body;
    const third = (await refresh(second.refresh_token)).body;
    expect((await push(third.access_token)).status).toBe(204);
    expect((await refresh(first.refresh_token)).status).toBe(401);
    expect((await refresh(third.refresh_token)).status).toBe(401);
    await aSecond();
    expect((await push(third.access_token)).status).toBe(401);
  });

  test('rejects a token that was issued while its session ended', async () => {
    const first = (await exchange(app)).body;
    const second = (await refresh(first.refresh_token)).body;
    await service.pool.query('update refresh_token set revoked_at = now() where token_hash = sha256($1::bytea)', [
      Buffer.from(first.refresh_token),
    ]);
    expect((await refresh(second.refresh_token)).status).toBe(401);
    await aSecond();
    expect((await push(second.access_token)).status).toBe(401);
  });

  test('rejects a token of a deleted user', async () => {
    const deletedUser = await newUser();
    const tokens = (await exchange(app, service.anonymous, deletedUser.id)).body;
    await developer('DELETE', `/api/v1/users/${deletedUser.id}`);
    expect((await push(tokens.access_token, deletedUser.id)).status).toBe(401);
    expect((await refresh(tokens.refresh_token)).status).toBe(401);
  });
});

describe('revoking', () => {
  test("invalidates the session's tokens", async () => {
    const tokens = (await exchange(app)).body;
    expect((await push(tokens.access_token)).status).toBe(204);
    const response = await revoke(tokens.refresh_token);
    expect([response.status, response.body]).toEqual([204, '']);
    expect((await push(tokens.access_token)).status).toBe(401);
    expect((await refresh(tokens.refresh_token)).status).toBe(401);
    const again = await revoke(tokens.refresh_token);
    expect([again.status, again.body]).toEqual([404, { detail: 'Refresh token not found' }]);
  });

  test("ends a developer's session even with a replaced token", async () => {
    const { tokens, call } = await service.logIn();
    const { body } = await refresh(tokens.refresh_token);
    expect((await revoke(tokens.refresh_token)).status).toBe(204);
    expect((await refresh(body.refresh_token)).status).toBe(401);
    expect((await call('GET', '/api/v1/auth/me')).status).toBe(401);
  });

  test.each([
    ['unknown', 404],
    ['\0', 404],
    [7, 422],
    [undefined, 422],
  ])('responds to revoking %j with %i', async (token, status) => {
    expect((await revoke(token)).status).toBe(status);
  });
});
