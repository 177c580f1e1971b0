import { MS_PER_DAY } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Call, startSecondService, startTestService, type TestService } from '../../support/service.js';

const PATH = '/api/v1/developer/api-keys';
let service: TestService;
let second: Awaited<ReturnType<typeof startSecondService>>;
let developer: Call;
let developerId: string;
beforeAll(async () => {
  service = await startTestService();
  second = await startSecondService(service.database);
  const login = await service.logIn();
  developer = login.call;
  developerId = login.tokens.developer_id;
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});

const create = async (body?: unknown) => (await developer('POST', PATH, body)).body;
const rotate = (id: string, body?: unknown) => developer('POST', `${PATH}/${id}/rotate`, body);
async function statusWith(key: string, url = service.url) {
  return (await fetch(`${url}/api/v1/users`, { headers: { 'X-Service-API-Key': key } })).status;
}
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('rotating an API key', () => {
  test('replaces the old key under the same name, scopes and expiry', async () => {
    const expires_at = new Date(Date.now() + MS_PER_DAY).toISOString();
    const old = await create({ name: 'Backend', scopes: ['read'], expires_at });
    expect(await statusWith(old.key)).toBe(200);
    const rotated = await rotate(old.id);
    expect(rotated.status).toBe(201);
    expect(rotated.body).toMatchObject({ name: 'Backend', scopes: ['read'], expires_at, created_by: developerId });
    expect(rotated.body.key).not.toBe(old.key);
    expect(rotated.body.id).not.toBe(old.id);
    expect([await statusWith(old.key), await statusWith(rotated.body.key)]).toEqual([401, 200]);
    const ids = (await developer('GET', PATH)).body.map(({ id }: { id: string }) => id);
    expect(ids).toContain(rotated.body.id);
    expect(ids).not.toContain(old.id);
  });

  test('lets the old key work during a grace period', async () => {
    const old = await create();
    const { body } = await rotate(old.id, { grace_seconds: 2 });
    expect([await statusWith(old.key), await statusWith(body.key)]).toEqual([200, 200]);
    await wait(2050);
    expect([await statusWith(old.key), await statusWith(body.key)]).toEqual([401, 200]);
  });

  test('names the latest successor of a key rotated with grace periods', async () => {
    const old = await create();
    expect(old.replaced_by).toBeNull();
    const replacedBy = async () =>
      (await developer('GET', PATH)).body.find(({ id }: { id: string }) => id === old.id).replaced_by;
    const { body: second } = await rotate(old.id, { grace_seconds: 3600 });
    expect(second.replaced_by).toBeNull();
    expect(await replacedBy()).toBe(second.id);
    const { body: third } = await rotate(second.id);
    expect(await replacedBy()).toBe(third.id);
    await developer('DELETE', `${PATH}/${third.id}`);
    expect(await replacedBy()).toBe(third.id);
  });

  test('never extends a key that expires before the grace period ends', async () => {
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const old = await create({ expires_at });
    await rotate(old.id, { grace_seconds: 3600 });
    const list = (await developer('GET', PATH)).body;
    expect(list.find(({ id }: { id: string }) => id === old.id).expires_at).toBe(expires_at);
  });

  test('rotates once when many callers rotate the same key', async () => {
    const { id } = await create();
    const responses = await Promise.all(Array.from({ length: 10 }, () => rotate(id)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(404)]);
  });

  test.each([{ grace_seconds: -1 }, { grace_seconds: 1.5 }, { grace_seconds: '60' }, { grace_seconds: 2_592_001 }])(
    'rejects %j',
    async (body) => {
      const { id } = await create();
      expect((await rotate(id, body)).status).toBe(422);
    },
  );
});

describe('in every process of the service', () => {
  test('rejects a deleted key within a second', async () => {
    const { id, key } = await create();
    expect([await statusWith(key), await statusWith(key, second.url)]).toEqual([200, 200]);
    await developer('DELETE', `${PATH}/${id}`);
    await wait(1000);
    expect([await statusWith(key), await statusWith(key, second.url)]).toEqual([401, 401]);
  });

  test('rejects a rotated key within a second', async () => {
    const { id, key } = await create();
    expect(await statusWith(key, second.url)).toBe(200);
    const { body } = await rotate(id);
    await wait(1000);
    expect([await statusWith(key, second.url), await statusWith(body.key, second.url)]).toEqual([401, 200]);
  });

  test('rejects a logged-out session within a second', async () => {
    const { tokens, call } = await service.logIn();
    const me = () =>
      fetch(`${second.url}/api/v1/auth/me`, { headers: { Authorization: `Bearer ${tokens.access_token}` } });
    expect((await me()).status).toBe(200);
    await call('POST', '/api/v1/auth/logout');
    await wait(1000);
    expect((await me()).status).toBe(401);
  });
});

test('shows the last use of a key in lists', async () => {
  const { id, key } = await create();
  const before = Date.now();
  await statusWith(key);
  const after = Date.now();
  const list = (await developer('GET', PATH)).body;
  const { last_used_at } = list.find((found: { id: string }) => found.id === id);
  expect(Date.parse(last_used_at)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(last_used_at)).toBeLessThanOrEqual(after);
});
