import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN, type Call, startTestService, type TestService } from '../../support/service.js';
import { logIn } from './log-in.js';

// Repeats the calls of the existing developer portal under the two compatibility settings.
let service: TestService;
let portal: Call;
beforeAll(async () => {
  service = await startTestService({ errorFormat: 'compat', serviceName: 'Open-Wearables' });
  const { body } = await logIn(service.anonymous, ADMIN.adminEmail, ADMIN.adminPassword);
  portal = service.as(body.access_token);
});
afterAll(() => service.stop());

describe('the existing portal', () => {
  test('logs in and out', async () => {
    const { status, body } = await logIn(service.anonymous, ADMIN.adminEmail, ADMIN.adminPassword);
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'bearer', expires_in: 3600, developer_id: expect.any(String) });
    expect((await logIn(service.anonymous, ADMIN.adminEmail, 'x')).body).toEqual({
      detail: 'Incorrect email or password',
    });
    expect((await service.as(body.access_token)('POST', '/api/v1/auth/logout')).status).toBe(200);
  });

  test('lists the users that it creates', async () => {
    const created = await portal('POST', '/api/v1/users', { first_name: 'Anna', email: 'anna@clinic.example' });
    expect(created.status).toBe(201);
    const list = await portal('GET', '/api/v1/users?page=1&limit=20&sort_by=created_at&sort_order=desc&search=ann');
    expect(list.body).toMatchObject({ total: 1, items: [{ id: created.body.id }], has_next: false });
  });

  test('manages API keys that work in the X-Open-Wearables-API-Key header', async () => {
    const created = await portal('POST', '/api/v1/developer/api-keys', { name: 'Backend' });
    expect(created.status).toBe(201);
    const path = `/api/v1/developer/api-keys/${created.body.id}`;
    expect((await portal('PATCH', path, { name: 'Server' })).body.name).toBe('Server');
    const rotated = await portal('POST', `${path}/rotate`);
    expect([rotated.status, rotated.body.name]).toEqual([201, 'Server']);
    const headers = { 'X-Open-Wearables-API-Key': rotated.body.key };
    expect((await service.anonymous('GET', '/api/v1/users', undefined, headers)).status).toBe(200);
    const list = await portal('GET', '/api/v1/developer/api-keys');
    expect(list.body[0].id).toBe(rotated.body.id);
    expect((await portal('DELETE', `/api/v1/developer/api-keys/${rotated.body.id}`)).status).toBe(200);
  });

  test('manages applications that issue user tokens', async () => {
    const { body: app, status } = await portal('POST', '/api/v1/applications', { name: 'Phone' });
    expect(status).toBe(201);
    expect((await portal('GET', '/api/v1/applications')).body[0].app_id).toBe(app.app_id);
    const rotated = (await portal('POST', `/api/v1/applications/${app.app_id}/rotate-secret`)).body;
    const user = (await portal('POST', '/api/v1/users', {})).body;
    const credentials = { app_id: app.app_id, app_secret: rotated.app_secret };
    expect((await service.anonymous('POST', `/api/v1/users/${user.id}/token`, credentials)).status).toBe(200);
    expect((await portal('DELETE', `/api/v1/applications/${app.app_id}`)).status).toBe(204);
  });

  test('lists developers and the invitations that it sends', async () => {
    const { body } = await portal('POST', '/api/v1/invitations', { email: 'grace@clinic.example' });
    expect((await portal('GET', '/api/v1/invitations')).body).toEqual([body]);
    expect((await portal('GET', '/api/v1/developers')).body).toHaveLength(1);
  });

  test.each([
    ['POST', '/api/v1/invitations', { email: 'x' }, /valid email address/],
    ['POST', '/api/v1/applications', {}, /^Field required$/],
    ['POST', '/api/v1/invitation-code/redeem', { code: 'x' }, /^String should match pattern/],
    ['POST', '/api/v1/token/refresh', {}, /^Field required$/],
    ['POST', '/api/v1/auth/change-password', { current_password: 'x' }, /^Field required$/],
    ['GET', '/api/v1/developers/7', undefined, /^Input should be a valid UUID/],
  ])('receives 400 with a text for invalid input: %s %s %j', async (method, path, body, text) => {
    const response = await portal(method, path, body);
    expect(response.status).toBe(400);
    expect(response.body.detail).toMatch(text);
  });
});
