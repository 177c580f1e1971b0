import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Call, startTestService, type TestService } from '../../support/service.js';
import { deviceRoute } from './device-route.js';
import { logIn } from './log-in.js';

const PATH = '/api/v1/applications';
let service: TestService;
let developer: Call;
let other: Call;
let user: { id: string };
beforeAll(async () => {
  service = await startTestService({ bindings: [deviceRoute] });
  developer = (await service.logIn()).call;
  await service.accounts.developers.create('grace@clinic.example', 'long enough');
  other = service.as((await logIn(service.anonymous, 'grace@clinic.example', 'long enough')).body.access_token);
  user = (await service.call('POST', '/api/v1/users')).body;
});
afterAll(() => service.stop());

const create = async (name = 'App') => (await developer('POST', PATH, { name })).body;
const exchange = (app: { app_id: string; app_secret: string }, id = user.id) =>
  service.anonymous('POST', `/api/v1/users/${id}/token`, { app_id: app.app_id, app_secret: app.app_secret });
const push = (token: string) => service.as(token)('POST', `/api/v1/sdk/users/${user.id}/test`);
const refresh = (token: string) => service.anonymous('POST', '/api/v1/token/refresh', { refresh_token: token });

describe('an application', () => {
  test('shows the secret only on creation', async () => {
    const created = await developer('POST', PATH, { name: 'Phone app' });
    expect(created.status).toBe(201);
    const { app_secret, ...rest } = created.body;
    expect(rest.app_id).toMatch(/^app_[0-9a-f]{32}$/);
    expect(app_secret).toMatch(/^secret_[0-9a-f]{64}$/);
    const list = await developer('GET', PATH);
    expect(list.body[0]).toEqual(rest);
    const { rows } = await service.pool.query('select a::text as row from application a');
    expect(rows.some(({ row }) => row.includes(app_secret.slice(7)))).toBe(false);
  });

  test.each([
    [{}, 'missing'],
    [{ name: null }, 'string_type'],
    [{ name: 'x'.repeat(101) }, 'string_too_long'],
    [{ name: 'a\0b' }, 'value_error'],
  ])('rejects the application %j', async (body, type) => {
    const response = await developer('POST', PATH, body);
    expect([response.status, response.body.detail[0].type]).toEqual([422, type]);
  });

  test('accepts an empty name', async () => {
    expect((await developer('POST', PATH, { name: '' })).status).toBe(201);
  });

  test('cannot be listed, deleted or rotated by another developer', async () => {
    const { app_id } = await create();
    const ids = (await other('GET', PATH)).body.map((app: { app_id: string }) => app.app_id);
    expect(ids).not.toContain(app_id);
    for (const call of [
      () => other('DELETE', `${PATH}/${app_id}`),
      () => other('POST', `${PATH}/${app_id}/rotate-secret`),
      () => developer('DELETE', `${PATH}/app_${'0'.repeat(32)}`),
      () => developer('DELETE', `${PATH}/%00`),
      () => developer('POST', `${PATH}/7/rotate-secret`),
    ]) {
      const response = await call();
      expect([response.status, response.body]).toEqual([404, { detail: 'Application not found' }]);
    }
  });
});

describe('rotating the secret', () => {
  test('replaces the secret without ending issued tokens', async () => {
    const app = await create();
    const issued = (await exchange(app)).body;
    const rotated = await developer('POST', `${PATH}/${app.app_id}/rotate-secret`);
    expect(rotated.status).toBe(200);
    expect(rotated.body).toMatchObject({ id: app.id, app_id: app.app_id, name: app.name });
    const old = await exchange(app);
    expect([old.status, old.body]).toEqual([401, { detail: 'Invalid app credentials' }]);
    expect((await exchange(rotated.body)).status).toBe(200);
    expect((await push(issued.access_token)).status).toBe(204);
  });
});

describe('deleting an application', () => {
  test("revokes only the application's secret and tokens", async () => {
    const [deletedApp, otherApp] = [await create(), await create()];
    const [tokens, otherTokens] = [(await exchange(deletedApp)).body, (await exchange(otherApp)).body];
    const renewed = (await refresh(tokens.refresh_token)).body;
    expect((await push(renewed.access_token)).status).toBe(204);
    const deleted = await developer('DELETE', `${PATH}/${deletedApp.app_id}`);
    expect([deleted.status, deleted.body]).toEqual([204, '']);
    expect((await exchange(deletedApp)).status).toBe(401);
    expect((await refresh(renewed.refresh_token)).status).toBe(401);
    await new Promise((resolve) => setTimeout(resolve, 1050));
    expect((await push(tokens.access_token)).status).toBe(401);
    expect((await push(renewed.access_token)).status).toBe(401);
    expect((await push(otherTokens.access_token)).status).toBe(204);
    expect((await refresh(otherTokens.refresh_token)).status).toBe(200);
    expect((await developer('DELETE', `${PATH}/${deletedApp.app_id}`)).status).toBe(404);
  });

  test('revokes sessions that are opened or refreshed during the deletion', async () => {
    const app = await create();
    const issued = await Promise.all(Array.from({ length: 5 }, async () => (await exchange(app)).body));
    const results = await Promise.all([
      ...Array.from({ length: 5 }, () => exchange(app)),
      developer('DELETE', `${PATH}/${app.app_id}`),
      ...issued.map(({ refresh_token }) => refresh(refresh_token)),
    ]);
    const tokens = [...results.map(({ body }) => body.refresh_token), ...issued.map((tokens) => tokens.refresh_token)];
    for (const token of tokens.filter(Boolean)) expect((await refresh(token)).status).toBe(401);
    expect(results.every(({ status }) => [200, 204, 401, 404].includes(status))).toBe(true);
  });
});
