import { batchOf, MS_PER_HOUR } from '@healthd/model';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordWriter } from '../support/recorded-user.js';
import { sample } from '../support/records.js';
import { caller } from '../support/service.js';
import { storedRows } from '../support/stored-rows.js';
import { type ConnectionFixture, openConnectionFixture } from './connection-fixture.js';
import { heartRates, payload, reading } from './push-payloads.js';

let fixture: ConnectionFixture;
let user: string;
let account: { id: string; healthUserId: string };
beforeAll(async () => {
  fixture = await openConnectionFixture({ role: 'all', env: { HISTORICAL_SYNC_ON_CONNECT: 'false' } });
});
beforeEach(async () => {
  user = await fixture.createUser();
  account = await fixture.vendor.control.addAccount();
  await fixture.vendor.control.clearFaults();
});
afterAll(() => fixture.close());

async function userKeyOf(id: string): Promise<number> {
  const { rows } = await fixture.service.pool.query('select user_key from health_user where id = $1', [id]);
  return rows[0].user_key;
}

function disconnect(id = user, provider = 'google') {
  return fixture.call('DELETE', `/api/v1/users/${id}/connections/${provider}`);
}

describe('disconnecting', () => {
  test("keeps only the connection's record, without grant and tokens", async () => {
    await fixture.connect(user, { account: account.id });
    expect((await disconnect()).status).toBe(204);
    expect(await fixture.vendor.control.grantedScopes(account.id)).toEqual([]);
    expect(await fixture.tokensOf(user)).toEqual({ access: undefined, refresh: undefined });
    expect(await fixture.connectionOf(user)).toMatchObject({
      status: 'revoked',
      status_reason: 'user_disconnected',
      has_authorization: false,
    });
    expect((await disconnect()).status).toBe(204);
  });

  test('ends the connection although the vendor returns 503', async () => {
    await fixture.connect(user, { account: account.id });
    await fixture.vendor.control.addFault({ kind: 'error', status: 503, match: { role: 'revoke' } });
    expect((await disconnect()).status).toBe(204);
    expect(await fixture.connectionOf(user)).toMatchObject({ status: 'revoked' });
  });

  test('keeps another user with the same account connected', async () => {
    const other = await fixture.createUser();
    await fixture.connect(user, { account: account.id });
    await fixture.connect(other, { account: account.id });
    const developer = await fixture.asDeveloper();
    const seen = await developer('GET', `/api/v1/users/${user}/connections`);
    expect(seen.body[0].linked_user_ids).toEqual([other]);
    expect((await fixture.connectionOf(user)).linked_user_ids).toEqual([other]);
    expect((await fixture.connectionOf(other)).linked_user_ids).toEqual([user]);
    await disconnect();
    expect(await fixture.vendor.control.grantedScopes(account.id)).not.toEqual([]);
    await disconnect(other);
    expect(await fixture.vendor.control.grantedScopes(account.id)).toEqual([]);
  });

  test('responds 404 for an unconnected user', async () => {
    expect(await disconnect()).toMatchObject({ status: 404, body: { detail: 'User not connected to google' } });
    const misspelt = await disconnect(user, 'Google');
    expect([misspelt.status, misspelt.body.detail[0].type]).toEqual([422, 'enum']);
  });

  test('activates the connection again on reconnect', async () => {
    await fixture.connect(user, { account: account.id });
    const { id } = await fixture.connectionOf(user);
    await disconnect();
    await fixture.connect(user, { account: account.id });
    expect(await fixture.connectionOf(user)).toMatchObject({ id, status: 'active', status_reason: null });
  });
});

describe("deleting a provider's data", () => {
  test("deletes all of this provider's data and no other data", async () => {
    const otherUser = await fixture.createUser();
    const [key, other] = [await userKeyOf(user), await userKeyOf(otherUser)];
    const writer = recordWriter(fixture.service);
    const google = { provider: 'google', writer: 'Cloud' } as const;
    const apple = { provider: 'apple', deviceModel: 'Watch6,2' } as const;
    const night = { kind: 'sleep_stage', stage: 'light', offsetMinutes: 0 } as const;
    const [startMs, endMs] = [Date.parse('2026-03-09T23:00Z'), Date.parse('2026-03-10T06:00Z')];
    const records = (source: typeof google | typeof apple) => [
      sample('steps', '2026-03-10T08:00:00Z', 100, { source, offsetMinutes: 60 }),
      sample('heart_rate', '2026-03-10T02:00:00Z', 50, { source, offsetMinutes: 60 }),
      { ...night, source, startMs, endMs },
      {
        kind: 'workout',
        source,
        type: 'running',
        startMs: endMs,
        endMs: endMs + MS_PER_HOUR,
        offsetMinutes: 0,
      } as const,
      { kind: 'health_score', source, category: 'sleep', atMs: endMs, value: 80 } as const,
    ];
    await writer.write(other, batchOf(records(apple)));
    await writer.write(key, batchOf(records(apple)));
    await writer.write(key, batchOf(records(google)));
    await fixture.connect(user, { account: account.id });
    expect((await fixture.call('DELETE', `/api/v1/users/${user}/connections/google/data`)).status).toBe(204);
    expect(await fixture.connectionOf(user)).toMatchObject({ status: 'revoked' });
    // The remaining rows equal the rows of a user who never used the provider.
    const { pool } = fixture.service;
    expect(await storedRows(pool, user)).toEqual(await storedRows(pool, otherUser));
    const activity = await fixture.call(
      'GET',
      `/api/v1/users/${user}/summaries/activity?start_date=2026-03-10&end_date=2026-03-11`,
    );
    expect(activity.body.data[0]).toMatchObject({ steps: 100, source: { provider: 'apple' } });
  });

  test("deletes a provider's data once, even without a connection", async () => {
    const writer = recordWriter(fixture.service);
    await writer.write(await userKeyOf(user), batchOf([sample('steps', '2026-03-10T08:00:00Z', 100)]));
    const remove = () => fixture.call('DELETE', `/api/v1/users/${user}/connections/apple/data`);
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    const left = await fixture.call('GET', `/api/v1/users/${user}/data-sources`);
    expect(left.body).toEqual({ items: [], total: 0 });
  });
});

test('ends the consent at the vendor when a user is erased', async () => {
  await fixture.connect(user, { account: account.id });
  const developer = await fixture.asDeveloper();
  expect((await developer('DELETE', `/api/v1/users/${user}`)).status).toBe(200);
  expect(await fixture.vendor.control.grantedScopes(account.id)).toEqual([]);
  const { rows } = await fixture.service.pool.query('select 1 from connection where provider_user_id = $1', [
    account.healthUserId,
  ]);
  expect(rows).toEqual([]);
});

test('removes vendor notifications of an erased user unless the account is shared', async () => {
  const { pool } = fixture.service;
  const other = await fixture.createUser();
  await fixture.connect(user, { account: account.id });
  await fixture.connect(other, { account: account.id });
  await pool.query(
    `insert into provider_notification (provider, provider_user_id, data_type, operation, start_at, end_at, state)
     select provider, provider_user_id, 'steps', 'upsert', now(), now(), 'done' from connection
      where user_key = $1`,
    [await userKeyOf(user)],
  );
  const reported = async () =>
    (await pool.query('select 1 from provider_notification where provider_user_id = $1', [account.healthUserId]))
      .rowCount;
  const developer = await fixture.asDeveloper();
  await developer('DELETE', `/api/v1/users/${user}`);
  expect(await reported()).toBe(1);
  await developer('DELETE', `/api/v1/users/${other}`);
  expect(await reported()).toBe(0);
});

describe('a device that pushes', () => {
  const BODY = payload('apple', { records: heartRates(1) });

  /** Selects the statements that wait for this connection's transaction. */
  const WAITING = 'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';

  async function samplesOf(id: string): Promise<number | null> {
    const userKey = await userKeyOf(id);
    return (await fixture.service.pool.query('select from sample where user_key = $1', [userKey])).rowCount;
  }

  /** Pushes a batch and returns its finished run. */
  async function push(body: unknown = BODY, call = fixture.call) {
    const response = await call('POST', `/api/v1/sdk/users/${user}/sync`, body);
    expect(response.status).toBe(202);
    const runId = response.body.batch_id;
    await expect
      .poll(async () => (await fixture.call('GET', `/api/v1/sync/runs/${runId}`)).body.stage)
      .toMatch(/completed|failed/);
    return (await fixture.call('GET', `/api/v1/sync/runs/${runId}`)).body;
  }

  /** Opens a session of the user's device. */
  async function newDevice() {
    const developer = await fixture.asDeveloper();
    const { body } = await developer('POST', `/api/v1/users/${user}/token`);
    fixture.service.watch.knowBody(body);
    return caller(fixture.service, { Authorization: `Bearer ${body.access_token}` });
  }

  test('connects with its first stored batch, without tokens', async () => {
    expect(await fixture.connectionOf(user, 'apple')).toBeUndefined();
    expect((await push()).status).toBe('success');
    expect(await fixture.connectionOf(user, 'apple')).toMatchObject({
      status: 'active',
      has_authorization: false,
      provider_user_id: null,
      scope: null,
      rest_pull: false,
      last_synced_at: expect.stringMatching(/Z$/),
      live_sync_mode: null,
      icon_url: '/static/provider-icons/apple.svg',
    });
    const profile = await fixture.call('GET', `/api/v1/users/${user}`);
    expect(profile.body).toMatchObject({ has_active_connection: true, last_synced_provider: 'apple' });
    const { body } = await fixture.call('GET', `/api/v1/users/${user}/data-sources`);
    expect(body.items[0].user_connection_id).toBe((await fixture.connectionOf(user, 'apple')).id);
  });

  test('stays unconnected after a batch without a valid item', async () => {
    expect((await push({ provider: 'apple', data: 'none' })).status).toBe('failed');
    expect(await fixture.connectionOf(user, 'apple')).toBeUndefined();
  });

  test('gets 202 and a failed run after the user disconnects', async () => {
    const device = await newDevice();
    await push(BODY, device);
    await disconnect(user, 'apple');
    const run = await push(payload('apple', { records: heartRates(3) }), device);
    expect(await samplesOf(user)).toBe(1);
    expect(run).toMatchObject({ stage: 'failed', status: 'failed', metadata: { reason: 'connection_revoked' } });
    expect(await fixture.connectionOf(user, 'apple')).toMatchObject({ status: 'revoked' });
    const { rows } = await fixture.service.pool.query('select body from device_batch where batch_id = $1', [
      run.run_id,
    ]);
    expect(rows).toEqual([{ body: null }]);
  });

  test('stores no waiting batch after the user disconnects', async () => {
    const device = await newDevice();
    await push(BODY, device);
    const { pool } = fixture.service;
    const writing = await pool.connect();
    await writing.query('begin');
    await writing.query(
      'select 1 from user_state where user_key = (select user_key from health_user where id = $1) for no key update',
      [user],
    );
    const late = push(payload('apple', { records: heartRates(3) }), device);
    const { rows } = await writing.query('select pg_backend_pid() as pid');
    await expect.poll(async () => (await pool.query(WAITING, [rows[0].pid])).rowCount).toBeGreaterThan(0);
    await disconnect(user, 'apple');
    await writing.query('rollback');
    writing.release();
    expect((await late).metadata.reason).toBe('connection_revoked');
    expect(await samplesOf(user)).toBe(1);
  });

  test('reconnects with new credentials and its next batch', async () => {
    await push();
    await disconnect(user, 'apple');
    const device = await newDevice();
    expect(await fixture.connectionOf(user, 'apple')).toMatchObject({
      status: 'revoked',
      status_reason: 'push_allowed',
    });
    expect((await push(BODY, device)).status).toBe('success');
    expect(await fixture.connectionOf(user, 'apple')).toMatchObject({ status: 'active', status_reason: null });
  });

  test('is accepted again after a code is redeemed', async () => {
    await push();
    await disconnect(user, 'apple');
    const developer = await fixture.asDeveloper();
    const { body } = await developer('POST', `/api/v1/users/${user}/invitation-code`);
    const redeemed = await caller(fixture.service, {})('POST', '/api/v1/invitation-code/redeem', { code: body.code });
    expect(redeemed.status).toBe(200);
    expect((await push()).status).toBe('success');
  });

  test('reactivates an ended cloud connection without vendor tokens', async () => {
    await fixture.connect(user, { account: account.id });
    await disconnect();
    const google = payload('google', { records: [reading('HEART_RATE', '2026-11-01T08:00:00Z', 61, 'bpm')] });
    expect((await push(google)).metadata.reason).toBe('connection_revoked');
    await newDevice();
    expect((await push(google)).status).toBe('success');
    expect(await fixture.connectionOf(user)).toMatchObject({ status: 'active', has_authorization: false });
    expect(await fixture.tokensOf(user)).toEqual({ access: undefined, refresh: undefined });
  });
});

test('counts active connections on the dashboard', async () => {
  await fixture.connect(user, { account: account.id });
  const developer = await fixture.asDeveloper();
  const { body } = await developer('GET', '/api/v1/dashboard/stats');
  const { rows } = await fixture.service.pool.query(`select count(*) as n from connection where status = 'active'`);
  expect(body.active_conn.count).toBe(rows[0].n);
  expect(body.connections_coverage.top_providers).toContainEqual({ provider: 'google', count: expect.any(Number) });
});

test('serves an icon for every provider', async () => {
  const developer = await fixture.asDeveloper();
  const { body } = await developer('GET', '/api/v1/oauth/providers?include_unconfigured=true');
  for (const { icon_url: iconUrl } of body) {
    const icon = await fetch(fixture.service.url + iconUrl);
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
  }
  expect((await fetch(`${fixture.service.url}/static/provider-icons/nobody.svg`)).status).toBe(404);
});
