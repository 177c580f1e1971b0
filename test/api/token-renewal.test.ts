import { createConnections } from '@healthd/daemon/connections';
import { createPool, createSequelize } from '@healthd/daemon/platform/database';
import { createVault } from '@healthd/daemon/vault';
import type { VendorApi } from '@healthd/providers';
import { VendorError } from '@healthd/providers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ConnectionFixture, openConnectionFixture } from './connection-fixture.js';

const IDENTITY = { path: '/v4/users/me/identity' };

let fixture: ConnectionFixture;
let user: string;
let account: { id: string; healthUserId: string };
let processes: Awaited<ReturnType<typeof openProcess>>[];
beforeAll(async () => {
  fixture = await openConnectionFixture();
  processes = await Promise.all(Array.from({ length: 4 }, () => openProcess()));
});
beforeEach(async () => {
  await fixture.vendor.control.clearFaults();
  await fixture.vendor.control.setBehaviour({ rotateRefreshTokens: false });
  user = await fixture.createUser();
  account = await fixture.vendor.control.addAccount();
  await fixture.connect(user, { account: account.id });
  await fixture.vendor.control.clearRequests();
});
afterAll(async () => {
  for (const process of processes) await process.close();
  await fixture.close();
});

/**
 * Connections as another process of the service has them: with connections of its own to the database.
 * @param patience how long it waits for a lock, where that is not the 25 s of the service
 */
async function openProcess(patience?: string) {
  const { url } = fixture.service.database;
  const pool = createPool({ url, max: 3 });
  if (patience !== undefined) shortenWaits(pool, patience);
  const sequelize = createSequelize({ url, max: 2 });
  const { urls, client } = fixture.vendor;
  const connections = createConnections({
    pool,
    sequelize,
    defaultGranularity: 'raw',
    vault: createVault([new Uint8Array(32).fill(8)]),
    log: { warn: () => undefined, error: () => undefined },
    configurations: {
      google: {
        clientId: client.id,
        clientSecret: client.secret,
        scope: 'openid',
        values: {},
        addresses: { ...urls },
      },
    },
  });
  return {
    connections,
    pool,
    async api(): Promise<VendorApi> {
      const { rows } = await pool.query('select user_key from health_user where id = $1', [user]);
      const connection = await connections.findConnection(rows[0].user_key, 'google');
      if (!connection) throw new Error('not connected');
      return connections.vendorApiOf(connection);
    },
    async close() {
      await sequelize.close();
      await pool.end();
    },
  };
}

/** Lets the statements of a pool wait for locks no longer than this, whatever they ask for. */
function shortenWaits(pool: ReturnType<typeof createPool>, patience: string): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const shortened = (text: unknown, ...rest: unknown[]) =>
      query(typeof text === 'string' ? text.replace(/(?<=lock_timeout = ')\w+/, patience) : text, ...rest);
    Object.assign(client, { query: shortened });
  });
}

/** Makes the stored access token look as if it ended soon. */
async function letExpire(minutes: number): Promise<void> {
  await fixture.service.pool.query(
    `update connection set token_expires_at = now() + make_interval(mins => $2)
      where user_key = (select user_key from health_user where id = $1)`,
    [user, minutes],
  );
}

/** Requests at the token endpoint that ended so. */
async function tokenRequests(): Promise<number[]> {
  return (await fixture.vendor.control.requests({ role: 'token' })).map(({ status }) => status);
}

async function apiRequests(): Promise<number[]> {
  return (await fixture.vendor.control.requests({ role: 'api' })).map(({ status }) => status);
}

async function failureOf(work: Promise<unknown>): Promise<VendorError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof VendorError)) throw new Error(`expected a failure of the vendor, got ${String(error)}`);
  return error;
}

function first() {
  const [one] = processes;
  if (!one) throw new Error('no process');
  return one;
}

describe('an access token', () => {
  test('an access token serves while it has more than five minutes left', async () => {
    await letExpire(6);
    await (await first().api()).call(IDENTITY);
    expect(await tokenRequests()).toEqual([]);
  });

  test('an access token that ends within five minutes is renewed by exactly one of 20 that need it in four processes', async () => {
    await fixture.vendor.control.setBehaviour({ rotateRefreshTokens: true });
    const before = await fixture.tokensOf(user);
    await letExpire(4);
    const apis = await Promise.all(Array.from({ length: 20 }, (_, at) => processes[at % 4]?.api()));
    const answers = await Promise.all(apis.map((api) => api?.call(IDENTITY)));
    expect(answers.map((answer) => (answer as { healthUserId: string }).healthUserId)).toEqual(
      Array.from({ length: 20 }, () => account.healthUserId),
    );
    expect(await tokenRequests()).toEqual([200]);
    const after = await fixture.tokensOf(user);
    expect(after.access).not.toBe(before.access);
    expect(after.refresh).not.toBe(before.refresh);
  });

  test('an access token that the vendor refuses is renewed once for all that were refused', async () => {
    await fixture.vendor.control.expireAccessTokens(account.id);
    // Each is sent twice, and 20 requests may be sent at once.
    const apis = await Promise.all(Array.from({ length: 8 }, (_, at) => processes[at % 4]?.api()));
    await Promise.all(apis.map((api) => api?.call(IDENTITY)));
    expect(await tokenRequests()).toEqual([200]);
  });

  test('an access token that was refused late is not renewed again when that was done meanwhile', async () => {
    const [early, late] = await Promise.all([processes[0]?.api(), processes[1]?.api()]);
    await fixture.vendor.control.expireAccessTokens(account.id);
    await fixture.vendor.control.addFault({ kind: 'slow', delayMs: 1_500, match: { role: 'api' }, times: 1 });
    const refusedLate = late?.call(IDENTITY);
    await expect.poll(async () => (await apiRequests()).length, { interval: 10 }).toBe(1);
    await early?.call(IDENTITY);
    const renewed = await fixture.tokensOf(user);
    expect(await refusedLate).toMatchObject({ healthUserId: account.healthUserId });
    expect(await tokenRequests()).toEqual([200]);
    expect(await fixture.tokensOf(user)).toEqual(renewed);
  });

  test('an access token that many callers of one process wait for keeps only one of them at the database', async () => {
    await letExpire(0);
    await fixture.vendor.control.addFault({ kind: 'slow', delayMs: 1_500, match: { role: 'token' }, times: 1 });
    const api = await first().api();
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
    expect(await tokenRequests()).toEqual([200]);
  });

  test('an access token is renewed with the same refresh token where the vendor sends no other', async () => {
    const before = await fixture.tokensOf(user);
    await letExpire(-10);
    await (await first().api()).call(IDENTITY);
    expect((await fixture.tokensOf(user)).refresh).toBe(before.refresh);
  });

  test('an access token without anything to renew it serves to its end, and then the connection has expired', async () => {
    await fixture.service.pool.query('update connection set refresh_token = null');
    await letExpire(4);
    const api = await first().api();
    await api.call(IDENTITY);
    await letExpire(-1);
    expect((await failureOf(api.call(IDENTITY))).code).toBe('unauthorized');
    expect(await fixture.connectionOf(user)).toMatchObject({ status: 'expired', status_reason: 'token_expired' });
    const connection = await first().connections.findConnectionById((await fixture.connectionOf(user)).id);
    await expect(first().connections.requireConnection(connection?.userKey ?? 0, 'google')).rejects.toMatchObject({
      code: 'conflict',
      message: 'Token expired and no refresh token available for google',
    });
  });
});

describe('tokens that ENCRYPTION_KEY does not open', () => {
  test.each(['access_token', 'refresh_token'])(
    'tokens that ENCRYPTION_KEY does not open (the %s) end the connection, which shows why',
    async (column) => {
      await fixture.service.pool.query(
        `update connection set ${column} = overlay(${column} placing '00000000' from 4)`,
      );
      expect(await failureOf((await first().api()).call(IDENTITY))).toMatchObject({
        code: 'unauthorized',
        reason: 'token_unreadable',
      });
      expect(await tokenRequests()).toEqual([]);
      expect(await fixture.connectionOf(user)).toMatchObject({
        status: 'expired',
        status_reason: 'token_unreadable',
        has_authorization: false,
      });
      const { userKey = 0 } =
        (await first().connections.findConnectionById((await fixture.connectionOf(user)).id)) ?? {};
      await expect(first().connections.requireConnection(userKey, 'google')).rejects.toMatchObject({
        code: 'conflict',
        message: 'The stored authorization for google cannot be read with ENCRYPTION_KEY. Please re-authorize.',
      });
    },
  );
});

describe('a renewal', () => {
  test('a renewal that finds the consent taken back ends the connection and clears its tokens', async () => {
    await fixture.vendor.control.revokeGrants(account.id);
    await letExpire(0);
    expect(await failureOf((await first().api()).call(IDENTITY))).toMatchObject({
      code: 'unauthorized',
      reason: 'refresh_failed',
    });
    expect(await fixture.connectionOf(user)).toMatchObject({
      status: 'revoked',
      status_reason: 'refresh_failed',
      has_authorization: false,
    });
    expect(await fixture.tokensOf(user)).toEqual({ access: undefined, refresh: undefined });
    const { userKey = 0 } = (await first().connections.findConnectionById((await fixture.connectionOf(user)).id)) ?? {};
    await expect(first().connections.requireConnection(userKey, 'google')).rejects.toMatchObject({
      code: 'conflict',
      message: 'google authorization expired. Please re-authorize.',
    });
  });

  test.each([
    ['the client secret is wrong', { kind: 'oauth_error', error: 'invalid_client', status: 401 }, 'operator'],
    ['the client may not renew', { kind: 'oauth_error', error: 'unauthorized_client' }, 'operator'],
    ['the vendor is down', { kind: 'error', status: 503 }, 'unavailable'],
    ['a proxy answers instead', { kind: 'bad_gateway' }, 'unavailable'],
    ['nobody answers', { kind: 'dropped' }, 'unavailable'],
    ['it was asked too often', { kind: 'rate_limited', retryAfterSeconds: 7 }, 'rate_limited'],
  ] as const)('a renewal does not end the connection because %s', async (_, fault, code) => {
    await fixture.vendor.control.addFault({ ...fault, match: { role: 'token' }, times: 1 });
    await letExpire(0);
    const api = await first().api();
    expect((await failureOf(api.call(IDENTITY))).code).toBe(code);
    expect(await fixture.connectionOf(user)).toMatchObject({ status: 'active', has_authorization: true });
    expect(await api.call(IDENTITY)).toMatchObject({ healthUserId: account.healthUserId });
  });

  test('a renewal that the vendor refuses after a new consent does not end the connection', async () => {
    await fixture.vendor.control.revokeGrants(account.id);
    await letExpire(0);
    await fixture.vendor.control.addFault({ kind: 'slow', delayMs: 1_500, match: { role: 'token' }, times: 1 });
    const late = (await first().api()).call(IDENTITY);
    await expect.poll(async () => (await tokenRequests()).length, { interval: 10 }).toBe(1);
    await fixture.connect(user, { account: account.id });
    const consented = await fixture.tokensOf(user);
    expect(await late).toMatchObject({ healthUserId: account.healthUserId });
    expect(await fixture.connectionOf(user)).toMatchObject({ status: 'active', has_authorization: true });
    expect(await fixture.tokensOf(user)).toEqual(consented);
  });

  test('a renewal that waits too long for another process comes back as an outage that passes', async () => {
    await letExpire(0);
    const { id } = await fixture.connectionOf(user);
    const holder = await fixture.service.pool.connect();
    const impatient = await openProcess('300ms');
    try {
      await holder.query('begin');
      await holder.query("select pg_advisory_xact_lock(hashtext('healthd tokens'), hashtext($1))", [id]);
      expect(await failureOf((await impatient.api()).call(IDENTITY))).toMatchObject({
        code: 'unavailable',
        reason: 'renewal_under_way',
        retryAfterMs: 10_000,
        passes: true,
      });
      expect(await tokenRequests()).toEqual([]);
    } finally {
      await holder.query('rollback');
      holder.release();
      await impatient.close();
    }
    expect(await fixture.connectionOf(user)).toMatchObject({ status: 'active', has_authorization: true });
  });

  test('a renewed token that cannot be given back, because the vendor is down, is over for us all the same', async () => {
    await letExpire(0);
    await fixture.vendor.control.addFault({ kind: 'slow', delayMs: 1_500, match: { role: 'token' }, times: 1 });
    await fixture.vendor.control.addFault({ kind: 'error', status: 503, match: { role: 'revoke' }, times: null });
    const renewal = failureOf((await first().api()).call(IDENTITY));
    await expect.poll(async () => (await tokenRequests()).length, { interval: 10 }).toBe(1);
    await fixture.call('DELETE', `/api/v1/users/${user}/connections/google`);
    expect(await renewal).toMatchObject({ code: 'unauthorized', reason: 'disconnected' });
    expect(await fixture.tokensOf(user)).toEqual({ access: undefined, refresh: undefined });
  });

  test('a renewal that a disconnection overtook leaves no token alive at the vendor', async () => {
    await letExpire(0);
    await fixture.vendor.control.addFault({ kind: 'slow', delayMs: 600, match: { role: 'token' } });
    const renewal = failureOf((await first().api()).call(IDENTITY));
    await expect.poll(async () => (await tokenRequests()).length, { interval: 10 }).toBe(1);
    await fixture.call('DELETE', `/api/v1/users/${user}/connections/google`);
    expect(await renewal).toMatchObject({ code: 'unauthorized' });
    expect(await fixture.connectionOf(user)).toMatchObject({ status: 'revoked', status_reason: 'user_disconnected' });
    expect(await fixture.vendor.control.grantedScopes(account.id)).toEqual([]);
  });

  test('a token that the vendor renewed although it was not notified of the disconnection is given back to it', async () => {
    await letExpire(0);
    await fixture.vendor.control.addFault({ kind: 'slow', delayMs: 1_500, match: { role: 'token' }, times: 1 });
    await fixture.vendor.control.addFault({ kind: 'error', status: 503, match: { role: 'revoke' }, times: 1 });
    const renewal = failureOf((await first().api()).call(IDENTITY));
    await expect.poll(async () => (await tokenRequests()).length, { interval: 10 }).toBe(1);
    await fixture.call('DELETE', `/api/v1/users/${user}/connections/google`);
    expect(await fixture.vendor.control.grantedScopes(account.id)).not.toEqual([]);
    expect(await renewal).toMatchObject({ code: 'unauthorized', reason: 'disconnected' });
    expect(await fixture.vendor.control.grantedScopes(account.id)).toEqual([]);
    expect(await fixture.tokensOf(user)).toEqual({ access: undefined, refresh: undefined });
  });

  test('a token that the vendor renewed too late is not given back while another user lives by the same account', async () => {
    const other = await fixture.createUser();
    await fixture.connect(other, { account: account.id });
    await letExpire(0);
    await fixture.vendor.control.clearRequests();
    await fixture.vendor.control.addFault({ kind: 'slow', delayMs: 600, match: { role: 'token' }, times: 1 });
    const renewal = failureOf((await first().api()).call(IDENTITY));
    await expect.poll(async () => (await tokenRequests()).length, { interval: 10 }).toBe(1);
    await fixture.call('DELETE', `/api/v1/users/${user}/connections/google`);
    expect(await renewal).toMatchObject({ code: 'unauthorized', reason: 'disconnected' });
    expect(await fixture.vendor.control.grantedScopes(account.id)).not.toEqual([]);
    expect(await fixture.connectionOf(other)).toMatchObject({ status: 'active' });
  });

  test('a renewal that a consent for another account overtook while the vendor was asked is thrown away', async () => {
    const other = await fixture.vendor.control.addAccount();
    await letExpire(0);
    await fixture.vendor.control.addFault({ kind: 'slow', delayMs: 1_500, match: { role: 'token' }, times: 1 });
    const renewal = failureOf((await first().api()).call(IDENTITY));
    await expect.poll(async () => (await tokenRequests()).length, { interval: 10 }).toBe(1);
    await fixture.connect(user, { account: other.id });
    const consented = await fixture.tokensOf(user);
    expect(await renewal).toMatchObject({ code: 'unauthorized', reason: 'account_changed' });
    expect(await fixture.tokensOf(user)).toEqual(consented);
    expect(await (await first().api()).call(IDENTITY)).toMatchObject({ healthUserId: other.healthUserId });
  });

  test('a renewal that another account overtook gives its tokens to no caller of the former one', async () => {
    const api = await first().api();
    const other = await fixture.vendor.control.addAccount();
    await fixture.connect(user, { account: other.id });
    expect(await failureOf(api.call(IDENTITY))).toMatchObject({ code: 'unauthorized', reason: 'account_changed' });
  });
});

test('a token moved into another row opens nothing there', async () => {
  const victim = await fixture.createUser();
  const theirs = await fixture.vendor.control.addAccount();
  await fixture.connect(victim, { account: theirs.id });
  await fixture.service.pool.query(
    `update connection set access_token = (select access_token from connection c join health_user u using (user_key)
       where u.id = $2) where user_key = (select user_key from health_user where id = $1)`,
    [user, victim],
  );
  expect((await failureOf((await first().api()).call(IDENTITY))).code).toBe('unauthorized');
});

describe('requests to a vendor', () => {
  test('requests to a vendor from many processes together stay within the quota', async () => {
    const budgets = processes.map(({ connections }) => connections.budgets.person('google', 'quota', 60));
    const waits = await Promise.all(Array.from({ length: 40 }, (_, at) => budgets[at % 4]?.take(60_000)));
    // 6 at once, then one every 1.1 s.
    expect(waits.filter((wait) => wait === 0)).toHaveLength(6);
    expect(Math.max(...waits.map(Number))).toBeGreaterThan(36_000);
    expect(new Set(waits.map((wait) => Math.round(Number(wait) / 1_111))).size).toBeGreaterThan(33);
  });

  test('requests to a vendor that would have to wait too long take nothing', async () => {
    const budget = first().connections.budgets.person('google', 'patience', 60);
    while ((await budget.take(500)) < 500);
    const waits = [await budget.take(500), await budget.take(500), await budget.take(500)];
    expect(waits.every((wait) => wait >= 500 && wait < 2_300)).toBe(true);
  });
});
