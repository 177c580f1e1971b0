import { getUser, listUsers } from '@healthd/contract';
import { type AuditEntry, createAuditWriter } from '@healthd/daemon/http';
import { MS_PER_HOUR } from '@healthd/model';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ADMIN, type Call, startTestService, type TestService } from '../support/service.js';

let service: TestService;
let developer: Call;
let developerId: string;
let before = 0;
beforeAll(async () => {
  service = await startTestService();
  const login = await service.logIn();
  developer = login.call;
  developerId = login.tokens.developer_id;
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.audit.flush();
  const { rows } = await service.pool.query('select coalesce(max(seq), 0) as seq from audit_event');
  before = rows[0].seq;
});

/** Returns the records since the start of the test. Records of earlier tests remain in the trail. */
const events = async () =>
  (await service.pool.query('select * from audit_event where seq > $1 order by seq', [before])).rows;

describe('the audit trail', () => {
  test('records a write with actor, user and request before the response', async () => {
    const user = (await service.call('POST', '/api/v1/users', undefined, { 'X-Request-ID': 'req-1' })).body;
    const keys = await service.pool.query("select id from api_key where name = 'First key'");
    expect(await events()).toEqual([
      expect.objectContaining({
        actor_type: 'api_key',
        actor_id: keys.rows[0].id,
        user_id: user.id,
        resource: 'user',
        action: 'create',
        outcome: 'success',
        status: 201,
        route: 'createUser',
        request_id: 'req-1',
        address: expect.stringContaining('127.0.0.1'),
      }),
    ]);
  });

  test('records reads shortly after the response, without search terms', async () => {
    const user = (await service.call('POST', '/api/v1/users', { first_name: 'Anna' })).body;
    await developer('GET', `/api/v1/users/${user.id}`);
    await developer('GET', '/api/v1/users?search=Anna');
    await vi.waitFor(async () => expect(await events()).toHaveLength(3), { timeout: 120_000 });
    const [, one, list] = await events();
    expect(one).toMatchObject({ actor_type: 'developer', actor_id: developerId, user_id: user.id, route: 'getUser' });
    expect(list).toMatchObject({ user_id: null, route: 'listUsers', action: 'read' });
    expect(JSON.stringify(await events())).not.toContain('Anna');
  });

  test('contains denied and failed requests', async () => {
    const id = '11111111-2222-4333-8444-555555555555';
    await service.anonymous('GET', '/api/v1/users');
    await service.call('GET', `/api/v1/users/${id}`);
    await service.call('GET', '/api/v1/users/x');
    await service.audit.flush();
    expect(await events()).toMatchObject([
      { actor_type: 'anonymous', outcome: 'denied', status: 401 },
      { actor_type: 'api_key', outcome: 'failure', status: 404, user_id: id },
      { actor_type: 'api_key', outcome: 'failure', status: 422, user_id: null },
    ]);
  });

  test('counts 1,500 rejections of one anonymous caller in two records', async () => {
    const id = '11111111-2222-4333-8444-555555555555';
    for (let round = 0; round < 15; round += 1) {
      await Promise.all(Array.from({ length: 100 }, () => service.anonymous('GET', `/api/v1/users/${id}`)));
    }
    await service.audit.flush();
    const rejection = { actor_type: 'anonymous', route: 'getUser', outcome: 'denied', status: 401, user_id: id };
    expect(await events()).toEqual([
      expect.objectContaining({ ...rejection, occurrences: 1, request_id: expect.any(String) }),
      expect.objectContaining({ ...rejection, occurrences: 1499, request_id: null }),
    ]);
    const { data } = (await developer('GET', '/api/v1/audit?actor_type=anonymous&limit=2')).body;
    expect(data.map(({ occurrences }: { occurrences: number }) => occurrences)).toEqual([1499, 1]);
  });

  test('contains every rejection of a known caller', async () => {
    const id = '11111111-2222-4333-8444-555555555555';
    for (let call = 0; call < 5; call += 1) await developer('GET', `/api/v1/users/${id}`);
    await service.audit.flush();
    expect((await events()).map(({ status, occurrences }) => [status, occurrences])).toEqual(Array(5).fill([404, 1]));
  });

  test('contains logins and failed logins', async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const logIn = (password: string) =>
      service.anonymous(
        'POST',
        '/api/v1/auth/login',
        new URLSearchParams({ username: ADMIN.adminEmail, password }).toString(),
        form,
      );
    await logIn('wrong');
    await logIn(ADMIN.adminPassword);
    await service.audit.flush();
    expect(await events()).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ actor_type: 'anonymous', action: 'login', outcome: 'denied' }),
        expect.objectContaining({
          actor_type: 'developer',
          actor_id: developerId,
          action: 'login',
          outcome: 'success',
        }),
      ]),
    );
  });

  test('omits routes that declare a reason for the omission', async () => {
    await developer('GET', '/api/v1/auth/me');
    await service.audit.flush();
    expect(await events()).toEqual([]);
  });

  test('keeps the records of a deleted user', async () => {
    const { id } = (await service.call('POST', '/api/v1/users')).body;
    await developer('DELETE', `/api/v1/users/${id}`);
    expect((await events()).map(({ action, user_id }) => [action, user_id])).toEqual([
      ['create', id],
      ['delete', id],
    ]);
  });
});

describe('the audit writer', () => {
  const entry = (route: AuditEntry['route']): AuditEntry => ({
    route,
    caller: { kind: 'developer', developerId, email: ADMIN.adminEmail, sessionId: developerId },
    userId: undefined,
    status: 200,
    requestId: 'r',
    address: undefined,
  });

  test('delays records until a flush or close', async () => {
    const log = pino({ level: 'silent' });
    const writer = createAuditWriter({ pool: service.pool, log, flushMilliseconds: 60_000 });
    await writer.record(entry(listUsers));
    expect(await events()).toHaveLength(0);
    await writer.close();
    expect(await events()).toHaveLength(1);
    await writer.record(entry(getUser));
    await writer.flush();
    expect(await events()).toHaveLength(2);
  });

  test('counts anonymous rejections by route, status and IP address', async () => {
    const log = pino({ level: 'silent' });
    const writer = createAuditWriter({ pool: service.pool, log, countMilliseconds: MS_PER_HOUR });
    const refuse = (times: number, change: Partial<AuditEntry>) => {
      const rejection = { ...entry(getUser), caller: { kind: 'public' } as const, status: 401, ...change };
      return Promise.all(Array.from({ length: times }, () => writer.record(rejection)));
    };
    await refuse(3, { address: '192.0.2.1' });
    await refuse(2, { address: '192.0.2.2' });
    await refuse(4, { address: '192.0.2.2', status: 429 });
    await refuse(1, { route: listUsers, address: '192.0.2.2' });
    await writer.close();
    const counted = (await events()).map(({ address, status, route, occurrences }) =>
      [address, status, route, occurrences].join(' '),
    );
    expect(counted.sort()).toEqual([
      '192.0.2.1 401 getUser 1',
      '192.0.2.1 401 getUser 2',
      '192.0.2.2 401 getUser 1',
      '192.0.2.2 401 getUser 1',
      '192.0.2.2 401 listUsers 1',
      '192.0.2.2 429 getUser 1',
      '192.0.2.2 429 getUser 3',
    ]);
  });

  test('counts rejections from one IPv6 network together across users and addresses', async () => {
    const log = pino({ level: 'silent' });
    const writer = createAuditWriter({ pool: service.pool, log, countMilliseconds: MS_PER_HOUR });
    for (const digit of ['1', '2', '2']) {
      const rejection = { ...entry(getUser), caller: { kind: 'public' } as const, status: 401 };
      const userId = `11111111-2222-4333-8444-55555555555${digit}`;
      await writer.record({ ...rejection, userId, address: `2001:db8::${digit}` });
    }
    await writer.close();
    expect(await events()).toMatchObject([
      { occurrences: 1, address: '2001:db8::1', user_id: '11111111-2222-4333-8444-555555555551' },
      { occurrences: 2, address: '2001:db8:0:0::/64', user_id: null },
    ]);
  });

  test('restarts its counts after each interval', async () => {
    const log = pino({ level: 'silent' });
    const writer = createAuditWriter({ pool: service.pool, log, flushMilliseconds: 1, countMilliseconds: 50 });
    const rejection = { ...entry(getUser), caller: { kind: 'public' } as const, status: 401, address: '192.0.2.1' };
    const counts = async () => (await events()).map(({ occurrences }) => occurrences);
    await Promise.all(Array.from({ length: 7 }, () => writer.record(rejection)));
    await vi.waitFor(async () => expect(await counts()).toEqual([1, 6]), { timeout: 120_000 });
    await writer.record(rejection);
    await vi.waitFor(async () => expect(await counts()).toEqual([1, 6, 1]), { timeout: 120_000 });
    await writer.close();
  });

  test('logs an error for records that it cannot store', async () => {
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    const writer = createAuditWriter({ pool: service.pool, log });
    await writer.record({ ...entry(getUser), userId: 'no uuid' });
    await writer.flush();
    expect(JSON.parse(String(lines[0]))).toMatchObject({
      level: 50,
      audit: [{ route: 'getUser', actorType: 'developer', actorId: developerId, userId: 'no uuid' }],
    });
  });

  test('stores the records of 5,000 concurrent reads', async () => {
    await Promise.all(Array.from({ length: 5000 }, () => service.audit.record(entry(listUsers))));
    await service.audit.flush();
    expect(await events()).toHaveLength(5000);
  });
});
