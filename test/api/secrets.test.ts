import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Call, caller } from '../support/service.js';
import { startWholeService, type WholeService } from '../support/whole-service.js';

// Uses each secret, valid and invalid, against the complete service and records every log line. A call fails if an
// error body contains a secret. Stopping the service fails if its log contains a secret.

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const CONSOLE = { 'X-Healthd-Console': '1' };

let service: WholeService;
let anonymous: Call;
let developer: Call;
beforeAll(async () => {
  service = await startWholeService();
  service.watch.know(service.apiKey);
  service.watch.know(service.password);
  anonymous = caller(service, {});
  developer = caller(service, { Authorization: `Bearer ${(await logIn()).body.access_token}` });
});
afterAll(() => service.stop());

const logIn = (password = service.password) =>
  anonymous('POST', '/api/v1/auth/login', new URLSearchParams({ username: service.email, password }).toString(), FORM);

/** Waits until the log has a request's line, so that its final data is checked too. */
async function logged(requestId: string | null): Promise<string> {
  await expect.poll(() => service.logLines.some((line) => line.includes(String(requestId)))).toBe(true);
  return service.logLines.filter((line) => line.includes(String(requestId))).join('');
}

describe('no log line or error body contains a secret', () => {
  test('of logins and refreshed, reused or revoked tokens', async () => {
    expect((await logIn('a wrong password of some length')).status).toBe(401);
    const { body } = await logIn();
    const refresh = () => anonymous('POST', '/api/v1/token/refresh', { refresh_token: body.refresh_token });
    const next = await refresh();
    expect(next.status).toBe(200);
    expect((await anonymous('POST', '/api/v1/token/revoke', { refresh_token: next.body.refresh_token })).status).toBe(
      204,
    );
    expect((await refresh()).status).toBe(401);
    expect(
      (await anonymous('POST', '/api/v1/token/refresh', { refresh_token: 7, token: body.refresh_token })).status,
    ).toBe(422);
  });

  test("of the console's cookie", async () => {
    const form = new URLSearchParams({ username: service.email, password: service.password }).toString();
    const opened = await anonymous('POST', '/api/v1/auth/session', form, { ...CONSOLE, ...FORM });
    const cookie = String(opened.headers.get('set-cookie')).split(';', 1)[0] ?? '';
    const renewed = await anonymous('POST', '/api/v1/auth/session/refresh', undefined, { ...CONSOLE, Cookie: cookie });
    expect(renewed.status).toBe(200);
    expect((await anonymous('POST', '/api/v1/auth/session/refresh', undefined, { Cookie: cookie })).status).toBe(403);
    expect((await anonymous('DELETE', '/api/v1/auth/session', undefined, { ...CONSOLE, Cookie: cookie })).status).toBe(
      204,
    );
  });

  test('such as an API key, even in the path or query', async () => {
    const created = await developer('POST', '/api/v1/developer/api-keys', { name: 'Backend' });
    const { id, key } = created.body;
    const rotated = await developer('POST', `/api/v1/developer/api-keys/${id}/rotate`);
    expect(rotated.status).toBe(201);
    service.watch.knowBody(created.body);
    for (const [path, headers] of [
      ['/api/v1/users?api_key=SECRET&search=SECRET', {}],
      ['/api/v1/users', { Authorization: `Bearer ${key}` }],
      ['/api/v1/users', { 'X-API-Key': key }],
      ['/api/v1/users', { [service.apiKeyHeader]: key }],
    ] as const) {
      expect((await anonymous('GET', path.replaceAll('SECRET', key), undefined, headers)).status).toBe(401);
    }
    const inPath = await fetch(`${service.url}/api/v1/${key}`);
    expect(inPath.status).toBe(404);
    const line = await logged(inPath.headers.get('x-request-id'));
    expect(line).toContain('/api/v1/sk-***');
    expect((await developer('DELETE', `/api/v1/developer/api-keys/${rotated.body.id}`)).status).toBe(200);
  });

  test('of applications, device tokens and invitation codes', async () => {
    const app = (await developer('POST', '/api/v1/applications', { name: 'Phone' })).body;
    const { id } = (await developer('POST', '/api/v1/users')).body;
    const exchange = (app_secret: string) =>
      anonymous('POST', `/api/v1/users/${id}/token`, { app_id: app.app_id, app_secret });
    const device = await exchange(app.app_secret);
    expect(device.status).toBe(200);
    expect((await exchange(`secret_${'0123456789abcdef'.repeat(4)}`)).status).toBe(401);
    const bearer = { Authorization: `Bearer ${device.body.access_token}` };
    expect((await anonymous('GET', `/api/v1/users/${id}`, undefined, bearer)).status).toBe(401);
    const { code } = (await developer('POST', `/api/v1/users/${id}/invitation-code`)).body;
    expect((await anonymous('POST', '/api/v1/invitation-code/redeem', { code })).status).toBe(200);
    expect((await anonymous('POST', '/api/v1/invitation-code/redeem', { code })).status).toBe(404);
    expect((await anonymous('POST', '/api/v1/invitation-code/redeem', { code: `${code}-${code}` })).status).toBe(422);
  });

  test('of invitations and passwords, even if rejected', async () => {
    const { token } = (await developer('POST', '/api/v1/invitations', { email: 'grace@clinic.example' })).body;
    const names = { first_name: 'Grace', last_name: 'Hopper' };
    const accept = (password: unknown) =>
      anonymous('POST', '/api/v1/invitations/accept', { token, ...names, password });
    expect((await accept(['a list of a password'])).status).toBe(422);
    expect((await accept('nanoseconds by the foot')).status).toBe(201);
    expect((await accept('nanoseconds by the foot')).status).toBe(400);
    const change = (confirm_password: string) =>
      developer('POST', '/api/v1/auth/change-password', {
        current_password: 'not the current one',
        new_password: 'a new battery staple',
        confirm_password,
      });
    expect((await change('a new battery stable')).status).toBe(422);
    expect((await change('a new battery staple')).status).toBe(400);
  });

  test('from an invalid JSON body', async () => {
    const text = `{"refresh_token": "${(await logIn()).body.refresh_token}"`;
    expect(
      (await anonymous('POST', '/api/v1/token/refresh', text, { 'Content-Type': 'application/json' })).status,
    ).toBe(422);
  });

  test('when the database fails with secrets in its parameters', async () => {
    const { body } = await logIn();
    await service.pool.query('alter table refresh_token add constraint broken check (false) not valid');
    const login = await logIn();
    const refresh = await anonymous('POST', '/api/v1/token/refresh', { refresh_token: body.refresh_token });
    const key = await developer('POST', '/api/v1/developer/api-keys', { name: 'x'.repeat(255) });
    await service.pool.query('alter table refresh_token drop constraint broken');
    expect([login.status, refresh.status, key.status]).toEqual([500, 500, 201]);
    expect(await logged(login.headers.get('x-request-id'))).toContain('unexpected_error');
  });
});

test('checks the log of all requests for many secrets', () => {
  expect(service.logLines.filter((line) => line.includes('/api/v1/')).length).toBeGreaterThan(30);
  expect(service.watch.size).toBeGreaterThan(25);
  service.watch.check(service.logLines, 'the log');
});
