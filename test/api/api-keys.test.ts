import { ensureFirstAccount } from '@healthd/daemon/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN, type Call, startTestService, type TestService } from '../support/service.js';

const PATH = '/api/v1/developer/api-keys';
let service: TestService;
let developer: Call;
beforeAll(async () => {
  service = await startTestService();
  developer = (await service.logIn()).call;
});
afterAll(() => service.stop());

const withKey = (key: string) => (method: string, path: string, body?: unknown) =>
  service.anonymous(method, path, body, { 'X-Service-API-Key': key });

describe('creating an API key', () => {
  test('lists only prefix and last four characters of a new key', async () => {
    const created = await developer('POST', PATH, { name: 'Backend' });
    expect(created.status).toBe(201);
    const { key, ...rest } = created.body;
    expect(key).toMatch(/^sk-[0-9a-f]{64}$/);
    expect(rest).toMatchObject({ name: 'Backend', prefix: 'sk-', last_four: key.slice(-4), scopes: null });
    const list = await developer('GET', PATH);
    expect(list.body[0]).toEqual(rest);
    expect(JSON.stringify(list.body)).not.toContain(key);
  });

  test.each([
    ['no body', undefined],
    ['an empty object', {}],
    ['a null name', { name: null }],
  ])('names the key Default with %s', async (_case, body) => {
    const created = await developer('POST', PATH, body);
    expect(created.status).toBe(201);
    expect(created.body.name).toBe('Default');
  });

  test('stores only a hash of the key', async () => {
    const { body } = await developer('POST', PATH);
    const { rows } = await service.pool.query('select k::text as row from api_key k');
    expect(rows.some(({ row }) => row.includes(body.key.slice(3)))).toBe(false);
  });

  test.each([
    [{ name: 7 }, 'name', 'string_type'],
    [{ scopes: ['admin'] }, 'scopes', 'enum'],
    [{ scopes: [] }, 'scopes', 'value_error'],
    [{ expires_at: 'tomorrow' }, 'expires_at', 'datetime_parsing'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at', 'value_error'],
  ])('rejects %j', async (body, field, type) => {
    const response = await developer('POST', PATH, body);
    expect(response.status).toBe(422);
    expect(response.body.detail[0].loc.slice(0, 2)).toEqual(['body', field]);
    expect(response.body.detail[0].type).toBe(type);
  });
});

test('rejects the rotation of an expired key', async () => {
  const { body } = await developer('POST', PATH, { expires_at: new Date(Date.now() + 60_000).toISOString() });
  await service.pool.query("update api_key set expires_at = now() - interval '1 second' where id = $1", [body.id]);
  const response = await developer('POST', `${PATH}/${body.id}/rotate`);
  expect(response.status).toBe(409);
  expect((await developer('GET', PATH)).body.map(({ id }: { id: string }) => id)).toContain(body.id);
});

describe('using an API key', () => {
  test('rejects a deleted key within a second in other processes', async () => {
    const { body } = await developer('POST', PATH);
    expect((await withKey(body.key)('GET', '/api/v1/users')).status).toBe(200);
    await service.pool.query('delete from api_key where id = $1', [body.id]);
    await new Promise((resolve) => setTimeout(resolve, 1020));
    const rejected = await withKey(body.key)('GET', '/api/v1/users');
    expect(rejected.status).toBe(401);
    expect(rejected.body).toEqual({ detail: 'Invalid or missing API key' });
  });

  test('rejects a deleted key immediately in the deleting process', async () => {
    const { body } = await developer('POST', PATH);
    expect((await withKey(body.key)('GET', '/api/v1/users')).status).toBe(200);
    const deleted = await developer('DELETE', `${PATH}/${body.id}`);
    expect(deleted.status).toBe(200);
    expect(deleted.body.id).toBe(body.id);
    expect((await withKey(body.key)('GET', '/api/v1/users')).status).toBe(401);
  });

  test('rejects a key after its expiry', async () => {
    const expiry = new Date(Date.now() + 3000).toISOString();
    const { body } = await developer('POST', PATH, { expires_at: expiry });
    expect((await withKey(body.key)('GET', '/api/v1/users')).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 3020));
    expect((await withKey(body.key)('GET', '/api/v1/users')).status).toBe(401);
  });

  test('updates the time of last use at most once a minute', async () => {
    const { body } = await developer('POST', PATH);
    expect(body.last_used_at).toBeNull();
    const used = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1020));
      await withKey(body.key)('GET', '/api/v1/users');
      const { rows } = await service.pool.query('select last_used_at from api_key where id = $1', [body.id]);
      return rows[0].last_used_at as Date;
    };
    const before = Date.now();
    const first = await used();
    expect(first.getTime()).toBeGreaterThanOrEqual(before);
    expect(first.getTime()).toBeLessThanOrEqual(Date.now());
    expect(await used()).toEqual(first);
    await service.pool.query("update api_key set last_used_at = now() - interval '61 seconds' where id = $1", [
      body.id,
    ]);
    expect((await used()).getTime()).toBeGreaterThanOrEqual(first.getTime());
  });
});

describe('scopes', () => {
  test('rejects the creation of users with a read-only key', async () => {
    const { body } = await developer('POST', PATH, { scopes: ['read'] });
    expect((await withKey(body.key)('GET', '/api/v1/users')).status).toBe(200);
    const rejected = await withKey(body.key)('POST', '/api/v1/users', {});
    expect(rejected.status).toBe(403);
  });

  test('rejects reads with a push-only key', async () => {
    const { body } = await developer('POST', PATH, { scopes: ['push'] });
    expect((await withKey(body.key)('GET', '/api/v1/users')).status).toBe(403);
  });
});

describe('renaming and removing', () => {
  test('keeps the name unless a new name is sent', async () => {
    const { body } = await developer('POST', PATH, { name: 'Old' });
    expect((await developer('PATCH', `${PATH}/${body.id}`, { name: 'New' })).body.name).toBe('New');
    expect((await developer('PATCH', `${PATH}/${body.id}`, {})).body.name).toBe('New');
    expect((await developer('PATCH', `${PATH}/${body.id}`, { name: null })).body.name).toBe('New');
  });

  test.each(['PATCH', 'DELETE'])('returns 404 to %s of an unknown key', async (method) => {
    const id = '11111111-2222-4333-8444-555555555555';
    const response = await developer(method, `${PATH}/${id}`, method === 'PATCH' ? { name: 'x' } : undefined);
    expect(response.status).toBe(404);
  });

  test('neither repeats nor logs a key in the path', async () => {
    const { body } = await developer('POST', PATH);
    const response = await developer('DELETE', `${PATH}/${body.key}`);
    expect(response.status).toBe(422);
    expect(JSON.stringify(response.body)).not.toContain(body.key.slice(3));
    expect(service.logLines.join('\n')).not.toContain(body.key.slice(3));
  });
});

describe('the first account', () => {
  test.each(['tooshort9', 'qwertyuiop', 'Admin@localhost'])(
    'is not created with the password %s',
    async (adminPassword) => {
      await service.pool.query('delete from developer');
      const made = ensureFirstAccount(service.accounts, { adminPassword });
      await expect(made).rejects.toThrow(/^ADMIN_PASSWORD is easily guessed: /);
      await expect(made).rejects.not.toThrow(adminPassword);
      expect(await service.accounts.developers.exist()).toBe(false);
    },
  );

  test('is created once by concurrently starting processes', async () => {
    await service.pool.query('delete from api_key');
    await service.pool.query('delete from developer');
    const made = await Promise.all([1, 2].map(() => ensureFirstAccount(service.accounts, {})));
    const [account, ...more] = made.filter((result) => result !== undefined);
    expect(more).toEqual([]);
    await account?.shown();
    expect(account).toMatchObject({ email: 'admin@localhost', passwordGenerated: true });
    expect((await withKey(String(account?.apiKey))('GET', '/api/v1/users')).status).toBe(200);
    await service.accounts.sessions.login({
      email: 'admin@localhost',
      password: account?.password,
      address: undefined,
    });
    await service.accounts.sessions.refresh(String(account?.refreshToken));
    expect(await ensureFirstAccount(service.accounts, ADMIN)).toBeUndefined();
  });
});
