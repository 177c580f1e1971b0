import { batchOf, MS_PER_HOUR } from '@healthd/model';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordWriter } from '../support/recorded-user.js';
import { sample, WATCH } from '../support/records.js';
import type { Call } from '../support/service.js';
import { type ConnectionFixture, openConnectionFixture } from './connection-fixture.js';
import { heartRates, payload } from './push-payloads.js';

const NOTHING = {
  samples: 0,
  days: 0,
  workouts: 0,
  sleep_sessions: 0,
  menstrual_cycles: 0,
  health_scores: 0,
  data_sources: 0,
  runs: 0,
  files: 0,
  batches: 0,
};

let fixture: ConnectionFixture;
let developer: Call;
let user: string;
let account: { id: string };
beforeAll(async () => {
  fixture = await openConnectionFixture();
  developer = await fixture.asDeveloper();
});
beforeEach(async () => {
  user = await fixture.createUser();
  account = await fixture.vendor.control.addAccount();
  await fixture.vendor.control.clearFaults();
});
afterAll(() => fixture.close());

async function erase(id = user) {
  const deleted = await developer('DELETE', `/api/v1/users/${id}`);
  expect(deleted.status).toBe(200);
  return developer('GET', `/api/v1/erasures/${deleted.body.erasure_id}`);
}

const OF_USER = 'user_key = (select user_key from health_user where id = $1)';

async function rejectErasures(): Promise<void> {
  await fixture.service.pool.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
     create trigger refuse before delete on health_user for each row execute function refuse()`,
  );
}

const allowErasures = () => fixture.service.pool.query('drop trigger refuse on health_user; drop function refuse');

/** Deletes the user while the vendor is slow, and disconnects before the response. */
async function leaveErasure(): Promise<void> {
  await fixture.connect(user, { account: account.id });
  await fixture.vendor.control.addFault({ kind: 'slow', delayMs: 1_500, match: { role: 'revoke' } });
  const { sessions } = fixture.service.accounts;
  const { email, password, url } = fixture.service;
  const { access_token } = await sessions.login({ email, password, address: undefined });
  fixture.service.watch.know(access_token);
  const abort = new AbortController();
  const headers = { Authorization: `Bearer ${access_token}` };
  const left = fetch(`${url}/api/v1/users/${user}`, { method: 'DELETE', headers, signal: abort.signal });
  await expect.poll(() => fixture.connectionOf(user), { interval: 20 }).toMatchObject({ status: 'revoked' });
  abort.abort();
  await expect(left).rejects.toThrow();
}

/** Waits for the audit record of the deletion. */
async function deletionRecord() {
  const read = async () => (await developer('GET', `/api/v1/audit?user_id=${user}&action=delete`)).body.data;
  await expect.poll(async () => (await read()).length, { interval: 50, timeout: 20_000 }).toBe(1);
  return (await read())[0];
}

async function userKeyOf(id: string): Promise<number> {
  const { rows } = await fixture.service.pool.query('select user_key from health_user where id = $1', [id]);
  return rows[0]?.user_key;
}

describe('an erasure receipt', () => {
  test("counts the user's data by type, excluding other users", async () => {
    const other = await fixture.createUser();
    const startMs = Date.parse('2026-03-10T22:00:00Z');
    const endMs = startMs + 8 * MS_PER_HOUR;
    const records = [
      sample('steps', '2026-03-10T08:00:00Z', 100),
      sample('steps', '2026-03-11T08:00:00Z', 200),
      sample('heart_rate', '2026-03-11T08:00:00Z', 60),
      { kind: 'sleep_session', source: WATCH, startMs, endMs, offsetMinutes: 0 } as const,
      { kind: 'workout', source: WATCH, type: 'running', startMs: endMs, endMs: endMs + MS_PER_HOUR } as const,
      { kind: 'menstrual_cycle', source: WATCH, startMs, endMs, details: {} } as const,
      { kind: 'health_score', source: WATCH, category: 'sleep', atMs: endMs, value: 80 } as const,
    ];
    for (const id of [user, other]) {
      await recordWriter(fixture.service).write(await userKeyOf(id), batchOf(records));
    }
    const push = await fixture.call(
      'POST',
      `/api/v1/sdk/users/${user}/sync`,
      payload('apple', { records: heartRates(1) }),
    );
    expect(push.status).toBe(202);
    const summary = await fixture.call('GET', `/api/v1/users/${user}/summaries/data`);
    const { status, body } = await erase();
    expect(status).toBe(200);
    expect(body.erased).toEqual({
      ...NOTHING,
      samples: summary.body.total_data_points,
      days: 2,
      workouts: 1,
      sleep_sessions: 1,
      menstrual_cycles: 1,
      health_scores: 1,
      data_sources: 1,
      runs: 1,
      batches: 1,
    });
    expect(summary.body.total_data_points).toBe(3);
  });

  test('names no user after the erasure', async () => {
    const named = { first_name: 'Anna', last_name: 'Gone', email: 'anna.gone@example.org', external_user_id: 'c-17' };
    const { body: anna } = await fixture.call('POST', '/api/v1/users', named);
    await fixture.connect(anna.id, { account: account.id });
    const { body } = await erase(anna.id);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      erased_at: expect.stringMatching(/Z$/),
      erased: expect.objectContaining({ samples: 0 }),
      connections: [{ provider: 'google', consent: 'returned' }],
      ledger_hash: expect.stringMatching(/^[\w-]{43}$/),
    });
    const { rows } = await fixture.service.pool.query('select * from erasure_receipt where id = $1', [body.id]);
    for (const fact of [...Object.values(named), anna.id, account.id]) {
      expect(JSON.stringify([body, rows])).not.toContain(fact);
    }
    expect((await fixture.call('GET', `/api/v1/erasures/${body.id}`)).status).toBe(401);
    expect((await developer('GET', `/api/v1/users/${anna.id}`)).status).toBe(404);
  });

  test('links the audit record to the ledger line', async () => {
    const { body } = await erase();
    const { rows } = await fixture.service.pool.query('select erased_at from erasure where hash = $1', [
      body.ledger_hash,
    ]);
    expect(rows.map(({ erased_at }) => erased_at.toISOString())).toEqual([body.erased_at]);
    const trail = await developer('GET', `/api/v1/audit?user_id=${user}&action=delete`);
    expect(trail.body.data).toMatchObject([{ resource: 'user', outcome: 'success', resource_id: body.id }]);
  });

  test('is linked in the audit record even if the caller disconnects early', async () => {
    await leaveErasure();
    const { resource_id } = await deletionRecord();
    expect((await developer('GET', `/api/v1/erasures/${resource_id}`)).body).toMatchObject({
      id: resource_id,
      connections: [{ provider: 'google', consent: 'returned' }],
    });
  });

  test('is missing for an erasure that fails after the caller disconnects', async () => {
    await rejectErasures();
    await leaveErasure();
    const { outcome, status, resource_id } = await deletionRecord();
    await allowErasures();
    expect({ outcome, status }).toEqual({ outcome: 'failure', status: 500 });
    const receipt = await developer('GET', `/api/v1/erasures/${resource_id}`);
    expect(receipt.status).toBe(404);
    expect((await developer('GET', `/api/v1/users/${user}`)).status).toBe(200);
  });

  test('responds 404 to an unknown erasure ID', async () => {
    const response = await developer('GET', '/api/v1/erasures/11111111-2222-4333-8444-555555555555');
    expect([response.status, response.body.detail]).toEqual([
      404,
      'Erasure with ID: 11111111-2222-4333-8444-555555555555 not found. A deletion that failed erased nothing and has no receipt.',
    ]);
  });

  test('contains only zeros for a user without data', async () => {
    const { body } = await erase();
    expect(body).toMatchObject({ erased: NOTHING, connections: [] });
  });
});

describe('consent outcomes in the receipt', () => {
  const consents = async () => (await erase()).body.connections;

  test('reports that the vendor did not confirm the revocation', async () => {
    await fixture.connect(user, { account: account.id });
    await fixture.vendor.control.addFault({ kind: 'error', status: 503, match: { role: 'revoke' } });
    expect(await consents()).toEqual([{ provider: 'google', consent: 'failed' }]);
  });

  test("reports a returned consent only for a shared account's last user", async () => {
    const other = await fixture.createUser();
    await fixture.connect(user, { account: account.id });
    await fixture.connect(other, { account: account.id });
    expect(await consents()).toEqual([{ provider: 'google', consent: 'kept' }]);
    expect((await erase(other)).body.connections).toEqual([{ provider: 'google', consent: 'returned' }]);
  });

  test('reports no consent for a device-only connection', async () => {
    // Inserts the connection that a push would create, because no worker stores pushes here.
    await fixture.service.pool.query(
      `insert into connection (user_key, provider, last_synced_at)
       select user_key, 'apple', now() from health_user where id = $1`,
      [user],
    );
    expect(await consents()).toEqual([{ provider: 'apple', consent: 'none' }]);
  });

  test('reports an earlier disconnect that the vendor did not confirm', async () => {
    await fixture.connect(user, { account: account.id });
    await fixture.vendor.control.addFault({ kind: 'error', status: 503, match: { role: 'revoke' } });
    expect((await fixture.call('DELETE', `/api/v1/users/${user}/connections/google`)).status).toBe(204);
    expect(await consents()).toEqual([{ provider: 'google', consent: 'ended_before' }]);
  });

  test('reports an earlier disconnect of a connection without a consent time', async () => {
    await fixture.connect(user, { account: account.id });
    await fixture.call('DELETE', `/api/v1/users/${user}/connections/google`);
    await fixture.service.pool.query(`update connection set consented_at = null where ${OF_USER}`, [user]);
    expect(await consents()).toEqual([{ provider: 'google', consent: 'ended_before' }]);
  });

  test('reports a failed revocation if the tokens cannot be decrypted', async () => {
    await fixture.connect(user, { account: account.id });
    // Makes both tokens unreadable: each value can be decrypted only in its own column.
    await fixture.service.pool.query(
      `update connection set access_token = refresh_token, refresh_token = access_token where ${OF_USER}`,
      [user],
    );
    expect(await consents()).toEqual([{ provider: 'google', consent: 'failed' }]);
  });

  test('reports the consent as already ended when a second erasure finishes first', async () => {
    await fixture.connect(user, { account: account.id });
    await fixture.vendor.control.addFault({ kind: 'slow', delayMs: 1_500, match: { role: 'revoke' } });
    const first = developer('DELETE', `/api/v1/users/${user}`);
    await expect.poll(() => fixture.connectionOf(user), { interval: 20 }).toMatchObject({ status: 'revoked' });
    expect(await consents()).toEqual([{ provider: 'google', consent: 'ended_before' }]);
    expect((await first).status).toBe(404);
  });

  test('reports the consent as already ended when a failed erasure is repeated', async () => {
    await fixture.connect(user, { account: account.id });
    await rejectErasures();
    expect((await developer('DELETE', `/api/v1/users/${user}`)).status).toBe(500);
    await allowErasures();
    expect(await consents()).toEqual([{ provider: 'google', consent: 'ended_before' }]);
  });
});

test('leaves no receipt for an incomplete erasure', async () => {
  const { pool } = fixture.service;
  const receipts = async () => (await pool.query('select 1 from erasure_receipt')).rowCount;
  const before = await receipts();
  await rejectErasures();
  expect((await developer('DELETE', `/api/v1/users/${user}`)).status).toBe(500);
  await allowErasures();
  expect(await receipts()).toBe(before);
  expect((await developer('GET', `/api/v1/users/${user}`)).status).toBe(200);
});
