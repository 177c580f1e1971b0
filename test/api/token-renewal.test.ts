import { VendorError } from '@healthd/providers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ConnectionFixture } from './connection-fixture.js';
import { failureOf, openRenewalFixture, type RenewalFixture } from './renewal-fixture.js';

const IDENTITY = { path: '/v4/users/me/identity' };

let renewing: RenewalFixture;
let fixture: ConnectionFixture;
let user: string;
let account: { id: string; healthUserId: string };
beforeAll(async () => {
  renewing = await openRenewalFixture();
  fixture = renewing.fixture;
});
beforeEach(async () => {
  ({ user, account } = await renewing.connectPerson());
});
afterAll(() => renewing.close());

describe('an access token', () => {
  test('is used until five minutes before its expiry', async () => {
    await renewing.letExpire(6);
    await (await renewing.first().api()).call(IDENTITY);
    expect(await renewing.tokenRequests()).toEqual([]);
  });

  test('near expiry is renewed by exactly one of 20 callers', async () => {
    await fixture.vendor.control.setBehaviour({ rotateRefreshTokens: true });
    const before = await fixture.tokensOf(user);
    await renewing.letExpire(4);
    const apis = await Promise.all(Array.from({ length: 20 }, (_, at) => renewing.processes[at % 4]?.api()));
    const responses = await Promise.all(apis.map((api) => api?.call(IDENTITY)));
    expect(responses.map((response) => (response as { healthUserId: string }).healthUserId)).toEqual(
      Array.from({ length: 20 }, () => account.healthUserId),
    );
    expect(await renewing.tokenRequests()).toEqual([200]);
    const after = await fixture.tokensOf(user);
    expect(after.access).not.toBe(before.access);
    expect(after.refresh).not.toBe(before.refresh);
  });

  test.each([
    ['is down', { kind: 'error', status: 503 }],
    ['cannot be reached', { kind: 'dropped' }],
    ['rejects the client', { kind: 'oauth_error', error: 'invalid_client', status: 401 }],
  ] as const)('is used until it expires while the token endpoint %s', async (_, fault) => {
    await fixture.vendor.control.addFault({ ...fault, match: { role: 'token' }, times: null });
    await renewing.letExpire(4);
    const api = await renewing.first().api();
    for (let call = 1; call <= 3; call += 1) {
      expect(await api.call(IDENTITY)).toMatchObject({ healthUserId: account.healthUserId });
    }
    // Only the first of the three requests waits for the broken endpoint.
    expect(await renewing.tokenRequests()).toHaveLength(1);
    await renewing.letExpire(0);
    expect(await failureOf(api.call(IDENTITY))).toMatchObject({ code: expect.stringMatching(/unavailable|operator/) });
  });

  test('is renewed once for all requests that the vendor rejected', async () => {
    await fixture.vendor.control.expireAccessTokens(account.id);
    // Each of the 8 calls sends two requests, and the quota allows a burst of 20.
    const apis = await Promise.all(Array.from({ length: 8 }, (_, at) => renewing.processes[at % 4]?.api()));
    await Promise.all(apis.map((api) => api?.call(IDENTITY)));
    expect(await renewing.tokenRequests()).toEqual([200]);
  });

  test('is not renewed again after a late rejection of the former token', async () => {
    const [early, late] = await Promise.all([renewing.processes[0]?.api(), renewing.processes[1]?.api()]);
    await fixture.vendor.control.expireAccessTokens(account.id);
    await fixture.vendor.control.addFault({ kind: 'slow', delayMs: 1_500, match: { role: 'api' }, times: 1 });
    const rejectedLate = late?.call(IDENTITY);
    await expect.poll(async () => (await renewing.apiRequests()).length, { interval: 10 }).toBe(1);
    await early?.call(IDENTITY);
    const renewed = await fixture.tokensOf(user);
    expect(await rejectedLate).toMatchObject({ healthUserId: account.healthUserId });
    expect(await renewing.tokenRequests()).toEqual([200]);
    expect(await fixture.tokensOf(user)).toEqual(renewed);
  });

  test('is renewed without database locks for other callers of the process', async () => {
    await renewing.letExpire(0);
    await fixture.vendor.control.addFault({ kind: 'slow', delayMs: 1_500, match: { role: 'token' }, times: 1 });
    const api = await renewing.first().api();
    let isDone = false;
    const calls = Promise.all(Array.from({ length: 12 }, () => api.call(IDENTITY))).finally(() => {
      isDone = true;
    });
    let waiting = 0;
    while (!isDone) {
      const { rows } = await fixture.service.pool.query(
        `select count(*)::int as n from pg_locks join pg_database d on d.oid = database
          where datname = current_database() and locktype = 'advisory' and not granted`,
      );
      waiting = Math.max(waiting, rows[0].n);
    }
    await calls;
    expect(waiting).toBe(0);
    expect(await renewing.tokenRequests()).toEqual([200]);
  });

  test('keeps the refresh token if the vendor sends no new token', async () => {
    const before = await fixture.tokensOf(user);
    await renewing.letExpire(-10);
    await (await renewing.first().api()).call(IDENTITY);
    expect((await fixture.tokensOf(user)).refresh).toBe(before.refresh);
  });

  test('without a refresh token ends the connection at its expiry', async () => {
    await fixture.service.pool.query('update connection set refresh_token = null');
    await renewing.letExpire(4);
    const api = await renewing.first().api();
    await api.call(IDENTITY);
    await renewing.letExpire(-1);
    expect(await failureOf(api.call(IDENTITY))).toMatchObject({ code: 'unauthorized', reason: 'token_expired' });
    expect(await renewing.apiRequests()).toEqual([200]);
    expect(await fixture.connectionOf(user)).toMatchObject({ status: 'expired', status_reason: 'token_expired' });
    const connection = await renewing.first().connections.findConnectionById((await fixture.connectionOf(user)).id);
    await expect(
      renewing.first().connections.requireConnection(connection?.userKey ?? 0, 'google'),
    ).rejects.toMatchObject({
      code: 'conflict',
      message: 'Token expired and no refresh token available for google',
    });
  });
});

describe('tokens that ENCRYPTION_KEY cannot decrypt', () => {
  test.each(['access_token', 'refresh_token'])(
    '(the %s) end the connection with a reason in its status',
    async (column) => {
      await fixture.service.pool.query(
        `update connection set ${column} = overlay(${column} placing '00000000' from 4)`,
      );
      expect(await failureOf((await renewing.first().api()).call(IDENTITY))).toMatchObject({
        code: 'unauthorized',
        reason: 'token_unreadable',
      });
      expect(await renewing.tokenRequests()).toEqual([]);
      expect(await fixture.connectionOf(user)).toMatchObject({
        status: 'expired',
        status_reason: 'token_unreadable',
        has_authorization: false,
      });
      const { userKey = 0 } =
        (await renewing.first().connections.findConnectionById((await fixture.connectionOf(user)).id)) ?? {};
      await expect(renewing.first().connections.requireConnection(userKey, 'google')).rejects.toMatchObject({
        code: 'conflict',
        message: 'The stored authorization for google cannot be read with ENCRYPTION_KEY. Please re-authorize.',
      });
    },
  );
});

describe('a renewal', () => {
  test('that finds a revoked consent ends the connection', async () => {
    await fixture.vendor.control.revokeGrants(account.id);
    await renewing.letExpire(0);
    expect(await failureOf((await renewing.first().api()).call(IDENTITY))).toMatchObject({
      code: 'unauthorized',
      reason: 'refresh_failed',
    });
    expect(await fixture.connectionOf(user)).toMatchObject({
      status: 'revoked',
      status_reason: 'refresh_failed',
      has_authorization: false,
    });
    expect(await fixture.tokensOf(user)).toEqual({ access: undefined, refresh: undefined });
    const { userKey = 0 } =
      (await renewing.first().connections.findConnectionById((await fixture.connectionOf(user)).id)) ?? {};
    await expect(renewing.first().connections.requireConnection(userKey, 'google')).rejects.toMatchObject({
      code: 'conflict',
      message: 'google authorization expired. Please re-authorize.',
    });
  });

  test('that the vendor rejects before the expiry sends no API request', async () => {
    await fixture.vendor.control.revokeGrants(account.id);
    await renewing.letExpire(4);
    expect(await failureOf((await renewing.first().api()).call(IDENTITY))).toMatchObject({
      code: 'unauthorized',
      reason: 'refresh_failed',
    });
    expect(await renewing.apiRequests()).toEqual([]);
    expect(await fixture.connectionOf(user)).toMatchObject({ status: 'revoked', has_authorization: false });
  });

  test.each([
    ['the client secret is wrong', { kind: 'oauth_error', error: 'invalid_client', status: 401 }, 'operator'],
    ['the client may not renew', { kind: 'oauth_error', error: 'unauthorized_client' }, 'operator'],
    ['the vendor is down', { kind: 'error', status: 503 }, 'unavailable'],
    ['a proxy responds', { kind: 'bad_gateway' }, 'unavailable'],
    ['no server responds', { kind: 'dropped' }, 'unavailable'],
    ['the vendor received too many requests', { kind: 'rate_limited', retryAfterSeconds: 7 }, 'rate_limited'],
  ] as const)('does not end the connection if %s', async (_, fault, code) => {
    await fixture.vendor.control.addFault({ ...fault, match: { role: 'token' }, times: 1 });
    await renewing.letExpire(0);
    const api = await renewing.first().api();
    expect((await failureOf(api.call(IDENTITY))).code).toBe(code);
    expect(await fixture.connectionOf(user)).toMatchObject({ status: 'active', has_authorization: true });
    expect(await api.call(IDENTITY)).toMatchObject({ healthUserId: account.healthUserId });
  });

  test('that the vendor rejects after a new consent keeps the connection', async () => {
    await fixture.vendor.control.revokeGrants(account.id);
    await renewing.letExpire(0);
    await fixture.vendor.control.addFault({ kind: 'slow', delayMs: 1_500, match: { role: 'token' }, times: 1 });
    const late = (await renewing.first().api()).call(IDENTITY);
    await expect.poll(async () => (await renewing.tokenRequests()).length, { interval: 10 }).toBe(1);
    await fixture.connect(user, { account: account.id });
    const consented = await fixture.tokensOf(user);
    expect(await late).toMatchObject({ healthUserId: account.healthUserId });
    expect(await fixture.connectionOf(user)).toMatchObject({ status: 'active', has_authorization: true });
    expect(await fixture.tokensOf(user)).toEqual(consented);
  });

  test('that waits too long fails as a transient outage', async () => {
    await renewing.letExpire(0);
    const { id } = await fixture.connectionOf(user);
    const holder = await fixture.service.pool.connect();
    const impatient = await renewing.openProcess('300ms');
    try {
      await holder.query('begin');
      await holder.query("select pg_advisory_xact_lock(hashtext('healthd tokens'), hashtext($1))", [id]);
      expect(await failureOf((await impatient.api()).call(IDENTITY))).toMatchObject({
        code: 'unavailable',
        reason: 'renewal_under_way',
        retryAfterMs: 10_000,
        isTransient: true,
      });
      expect(await renewing.tokenRequests()).toEqual([]);
    } finally {
      await holder.query('rollback');
      holder.release();
      await impatient.close();
    }
    expect(await fixture.connectionOf(user)).toMatchObject({ status: 'active', has_authorization: true });
  });

  test('stores a rotated refresh token despite a long row lock', async () => {
    await fixture.vendor.control.setBehaviour({ rotateRefreshTokens: true });
    const before = await fixture.tokensOf(user);
    await renewing.letExpire(0);
    const { id } = await fixture.connectionOf(user);
    const impatient = await renewing.openProcess('300ms');
    const holder = await fixture.service.pool.connect();
    const waiting = () =>
      fixture.service.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            and query like 'update connection set access_token%' and state_change < clock_timestamp() - interval '600 ms'`,
      );
    try {
      await holder.query('begin');
      await holder.query('select from connection where id = $1 for update', [id]);
      const call = impatient.api().then((api) => api.call(IDENTITY));
      await expect.poll(async () => (await waiting()).rowCount, { interval: 50 }).toBe(1);
      await holder.query('commit');
      expect(await call).toMatchObject({ healthUserId: account.healthUserId });
    } finally {
      await holder.query('rollback');
      holder.release();
      await impatient.close();
    }
    expect((await fixture.tokensOf(user)).refresh).not.toBe(before.refresh);
    await renewing.letExpire(0);
    expect(await (await renewing.first().api()).call(IDENTITY)).toMatchObject({ healthUserId: account.healthUserId });
  });

  test('stores a rotated refresh token despite a broken database connection', async () => {
    await fixture.vendor.control.setBehaviour({ rotateRefreshTokens: true });
    const before = await fixture.tokensOf(user);
    await renewing.letExpire(0);
    await fixture.vendor.control.addFault({ kind: 'slow', delayMs: 1_500, match: { role: 'token' }, times: 1 });
    const call = (await renewing.first().api()).call(IDENTITY);
    await expect.poll(async () => (await renewing.tokenRequests()).length, { interval: 10 }).toBe(1);
    const { rowCount } = await fixture.service.pool.query(
      `select pg_terminate_backend(pid) from pg_locks join pg_database d on d.oid = database
        where datname = current_database() and locktype = 'advisory' and classid = hashtext('healthd tokens')::oid`,
    );
    expect(rowCount).toBe(1);
    expect(await call).toMatchObject({ healthUserId: account.healthUserId });
    expect((await fixture.tokensOf(user)).refresh).not.toBe(before.refresh);
  });

  test('reports a broken database connection, not a vendor outage', async () => {
    await renewing.letExpire(0);
    const { id } = await fixture.connectionOf(user);
    const api = await renewing.first().api();
    const holder = await fixture.service.pool.connect();
    try {
      await holder.query('begin');
      await holder.query("select pg_advisory_xact_lock(hashtext('healthd tokens'), hashtext($1))", [id]);
      const cut = api.call(IDENTITY).then(
        () => 'answered',
        (error: unknown) => error,
      );
      const cutConnections = () =>
        holder.query(
          `select pg_terminate_backend(pid) from pg_locks join pg_database d on d.oid = database
            where datname = current_database() and locktype = 'advisory' and not granted`,
        );
      await expect.poll(async () => (await cutConnections()).rowCount, { interval: 20 }).toBe(1);
      expect(await cut).toBeInstanceOf(Error);
      expect(await cut).not.toBeInstanceOf(VendorError);
      expect(await renewing.tokenRequests()).toEqual([]);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect(await api.call(IDENTITY)).toMatchObject({ healthUserId: account.healthUserId });
  });
});

test('cannot decrypt a token moved into another row', async () => {
  const victim = await fixture.createUser();
  const theirs = await fixture.vendor.control.addAccount();
  await fixture.connect(victim, { account: theirs.id });
  await fixture.service.pool.query(
    `update connection set access_token = (select access_token from connection c join health_user u using (user_key)
       where u.id = $2) where user_key = (select user_key from health_user where id = $1)`,
    [user, victim],
  );
  expect((await failureOf((await renewing.first().api()).call(IDENTITY))).code).toBe('unauthorized');
});

describe('requests to a vendor', () => {
  test('stay within the quota across many processes', async () => {
    const budgets = renewing.processes.map(({ connections }) => connections.budgets.user('google', 'quota', 60));
    const waits = await Promise.all(
      Array.from({ length: 40 }, async (_, at) => (await budgets[at % 4]?.take(60_000))?.waitMs),
    );
    // 6 requests start at once. The other requests start at intervals of 1.1 s.
    expect(waits.filter((wait) => wait === 0)).toHaveLength(6);
    expect(Math.max(...waits.map(Number))).toBeGreaterThan(36_000);
    expect(new Set(waits.map((wait) => Math.round(Number(wait) / 1_111))).size).toBeGreaterThan(33);
  });

  test('use no quota if the wait would be too long', async () => {
    const budget = renewing.first().connections.budgets.user('google', 'patience', 60);
    while ((await budget.take(500)).waitMs < 500);
    const waits = [await budget.take(500), await budget.take(500), await budget.take(500)];
    expect(waits.every(({ waitMs }) => waitMs >= 500 && waitMs < 2_300)).toBe(true);
  });
});
