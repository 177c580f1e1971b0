import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Call, caller } from '../support/service.js';
import { startWholeService, type WholeService } from '../support/whole-service.js';

// Calls the complete service like the existing developer portal, with the operator's settings only. The portal's
// contract defines the fields that it reads and sends, and its error format.

const PORTAL = 'https://portal.clinic.example';

let service: WholeService;
let anonymous: Call;
let portal: Call;
beforeAll(async () => {
  const settings = { ERROR_FORMAT: 'compat', SERVICE_NAME: 'Open-Wearables', CORS_ORIGINS: PORTAL };
  service = await startWholeService(settings);
  anonymous = caller(service, { Origin: PORTAL });
  const token = (await logIn()).body.access_token;
  portal = caller(service, { Origin: PORTAL, Authorization: `Bearer ${token}` });
});
afterAll(() => service.stop());

function logIn(password = service.password) {
  const form = new URLSearchParams({ username: service.email, password, grant_type: 'password' });
  return anonymous('POST', '/api/v1/auth/login', form.toString(), {
    'Content-Type': 'application/x-www-form-urlencoded',
  });
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const USER = {
  id: expect.stringMatching(UUID),
  created_at: expect.stringMatching(INSTANT),
  first_name: 'Anna',
  last_name: null,
  email: 'anna@clinic.example',
  external_user_id: null,
  last_synced_at: null,
  last_synced_provider: null,
  has_active_connection: false,
  time_zone: null,
};

describe('the browser of the portal', () => {
  test.each(['GET', 'POST', 'PATCH', 'DELETE'])('may send %s from the listed origin', async (method) => {
    const response = await anonymous('OPTIONS', '/api/v1/users', undefined, {
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'authorization,content-type',
    });
    expect(response.status).toBeLessThan(300);
    expect(response.headers.get('access-control-allow-origin')).toBe(PORTAL);
    expect(response.headers.get('access-control-allow-methods')).toContain(method);
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization,content-type');
  });

  test('may read responses, including errors', async () => {
    for (const response of [await portal('GET', '/api/v1/users'), await portal('GET', '/api/v1/users/x')]) {
      expect(response.headers.get('access-control-allow-origin')).toBe(PORTAL);
      expect(response.headers.get('access-control-allow-credentials')).toBe('true');
    }
  });
});

describe('the portal', () => {
  test('reads its developer after a login by form', async () => {
    const { status, body } = await logIn();
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      refresh_token: expect.any(String),
      expires_in: 3600,
      developer_id: expect.stringMatching(UUID),
    });
    expect((await portal('GET', '/api/v1/auth/me')).body).toEqual({
      id: body.developer_id,
      first_name: null,
      last_name: null,
      email: service.email,
      created_at: expect.stringMatching(INSTANT),
      updated_at: expect.stringMatching(INSTANT),
    });
  });

  test('gets users with every field that the portal reads', async () => {
    const created = await portal('POST', '/api/v1/users', { first_name: 'Anna', email: 'anna@Clinic.example' });
    expect(created.status).toBe(201);
    expect(created.body).toEqual(USER);
    const list = await portal('GET', '/api/v1/users?page=1&limit=20&sort_by=created_at&sort_order=desc&search=anna');
    const page = { total: 1, page: 1, limit: 20, pages: 1, has_next: false, has_prev: false, next_cursor: null };
    expect(list.body).toEqual({ items: [USER], ...page });
    const deleted = await portal('DELETE', `/api/v1/users/${created.body.id}`);
    expect(deleted.body).toEqual({ ...USER, erasure_id: expect.stringMatching(UUID) });
  });

  test('manages an API key from creation to deletion', async () => {
    const { status, body } = await portal('POST', '/api/v1/developer/api-keys', { name: 'Backend' });
    expect(status).toBe(201);
    const [listed] = (await portal('GET', '/api/v1/developer/api-keys')).body;
    expect(listed).toMatchObject({ id: body.id, name: 'Backend', created_by: expect.stringMatching(UUID) });
    const opened = await anonymous('GET', '/api/v1/users', undefined, { 'X-Open-Wearables-API-Key': body.key });
    expect(opened.status).toBe(200);
    expect((await portal('DELETE', `/api/v1/developer/api-keys/${listed.id}`)).status).toBe(200);
  });

  test('manages an application from creation to deletion', async () => {
    const { status, body } = await portal('POST', '/api/v1/applications', { name: 'Phone' });
    expect(status).toBe(201);
    const shown = { id: expect.stringMatching(UUID), name: 'Phone', created_at: expect.stringMatching(INSTANT) };
    expect(body).toEqual({
      ...shown,
      app_id: expect.stringMatching(/^app_[0-9a-f]{32}$/),
      app_secret: expect.stringMatching(/^secret_[0-9a-f]{64}$/),
    });
    expect((await portal('GET', '/api/v1/applications')).body).toEqual([{ ...shown, app_id: body.app_id }]);
    const deleted = await portal('DELETE', `/api/v1/applications/${body.app_id}`);
    expect([deleted.status, deleted.body]).toEqual([204, '']);
  });

  test.each([
    ['POST', '/api/v1/users', { email: 'x' }, 400, /email/],
    ['GET', '/api/v1/users/x', undefined, 400, /^Input should be a valid UUID/],
    ['GET', '/api/v1/users?limit=101', undefined, 400, /less than or equal to 100/],
    ['GET', '/api/v1/users/11111111-2222-4333-8444-555555555555', undefined, 404, /not found/],
    ['GET', '/api/v1/nothing', undefined, 404, /^Not Found$/],
    ['PUT', '/api/v1/users', undefined, 405, /^Method Not Allowed$/],
  ])('gets each error as text in `detail`: %s %s %j', async (method, path, body, status, text) => {
    const response = await portal(method, path, body);
    expect(response.status).toBe(status);
    expect(response.body.detail).toMatch(text);
  });

  test('gets 401 without a login', async () => {
    expect((await anonymous('GET', '/api/v1/users')).status).toBe(401);
  });

  test('gets a text for a wrong password', async () => {
    expect((await logIn('not the password')).body).toEqual({ detail: 'Incorrect email or password' });
  });
});
