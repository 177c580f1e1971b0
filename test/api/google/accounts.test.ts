import { SECONDS_PER_HOUR } from '@healthd/model';
import { afterEach, describe, expect, it } from 'vitest';
import { type GoogleFixture, GRANTS, openGoogleFixture } from './google-fixture.js';

let fixture: GoogleFixture;
afterEach(() => fixture.close());

const walk = { dataType: 'steps', startTime: '2026-11-10T08:00:00Z', endTime: '2026-11-10T08:10:00Z', value: 900 };
const add = (account: string) => fixture.control.addPoints(account, [walk], { notify: false });
const connectionOf = async (userId: string) =>
  (await fixture.call('GET', `/api/v1/users/${userId}/connections`)).body[0];

describe('partial consent', () => {
  it('skips data types whose scope is missing', async () => {
    fixture = await openGoogleFixture({ now: '2026-11-10T12:00:00Z' });
    await fixture.control.addAccount({ id: 'anna', timeZone: 'Europe/Berlin', grants: GRANTS.activity });
    const anna = await fixture.connect('anna');
    await fixture.reading.settle();
    const [run] = await fixture.reading.runsOf(anna.userKey);
    expect(run.status).toBe('success');
    expect(run.metadata.data_types.sleep).toMatchObject({ status: 'skipped', error: 'scope_missing' });
    const requestedTypes = Object.keys((await fixture.control.requestCounts()).anna ?? {});
    expect(requestedTypes).toContain('steps');
    for (const type of ['sleep', 'heart-rate', 'weight', 'hydration-log']) expect(requestedTypes).not.toContain(type);
    expect(await fixture.control.requests({ status: 403 })).toEqual([]);
    const shown = await connectionOf(anna.userId);
    expect(shown.scope).toContain('activity_and_fitness');
    expect(shown.missing_data_types).toEqual(expect.arrayContaining(['sleep', 'heart-rate', 'hydration-log']));
  });
});

describe('a consent that does not identify the account', () => {
  it('skips runs without any health scope', async () => {
    fixture = await openGoogleFixture({ now: '2026-11-10T12:00:00Z' });
    await fixture.control.addAccount({ id: 'anna', timeZone: 'Europe/Berlin', grants: GRANTS.activity });
    const anna = await fixture.connect('anna');
    await fixture.reading.settle();
    await fixture.pool.query(`update connection set scope = 'openid', provider_user_id = null where id = $1`, [
      anna.connectionId,
    ]);
    const scopeFault = { kind: 'error', status: 403, reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT', times: null } as const;
    await fixture.control.addFault(scopeFault);
    const run = await fixture.pull(anna);
    expect(run).toMatchObject({ status: 'skipped', error: null });
    const { missing_scopes: missing } = await connectionOf(anna.userId);
    expect(missing).toContain('https://www.googleapis.com/auth/googlehealth.sleep.readonly');
  });

  it('reads a nutrition-only consent without an account identity', async () => {
    fixture = await openGoogleFixture({ now: '2026-11-10T12:00:00Z' });
    await fixture.control.addAccount({
      id: 'anna',
      timeZone: 'Europe/Berlin',
      grants: ['openid', 'email', 'https://www.googleapis.com/auth/googlehealth.nutrition.readonly'],
    });
    const anna = await fixture.connect('anna');
    await fixture.reading.settle();
    const [run] = await fixture.reading.runsOf(anna.userKey);
    expect(run).toMatchObject({ status: 'success' });
    expect(run.metadata.data_types['hydration-log']).toMatchObject({ status: 'success' });
    expect(await connectionOf(anna.userId)).toMatchObject({ status: 'active', provider_user_id: null });
  });
});

describe('the time zone of an account', () => {
  it('schedules a date update after a change', async () => {
    fixture = await openGoogleFixture({ now: '2026-11-10T12:00:00Z' });
    await fixture.control.addAccount({ id: 'anna', timeZone: 'Europe/Berlin', grants: GRANTS.activity });
    const anna = await fixture.connect('anna');
    await fixture.reading.settle();
    expect((await connectionOf(anna.userId)).time_zone).toBe('Europe/Berlin');
    const { pool } = fixture;
    expect((await pool.query('delete from pending_repair returning repair')).rows).toEqual([{ repair: 'place_items' }]);
    await fixture.control.updateAccount('anna', { timeZone: 'America/New_York' });
    await fixture.pull(anna);
    expect((await connectionOf(anna.userId)).time_zone).toBe('America/New_York');
    expect((await pool.query('select repair from pending_repair')).rows).toEqual([{ repair: 'place_items' }]);
  });
});

describe('an account that is not linked', () => {
  it.each([
    ['not_linked', 'not_linked'],
    ['no_profile', 'not_ready'],
  ] as const)('is polled rarely until linked (%s)', async (state, shown) => {
    fixture = await openGoogleFixture({ now: '2026-11-10T12:00:00Z', historicalSyncOnConnect: true });
    await fixture.control.addAccount({ id: 'anna', timeZone: 'Europe/Berlin', grants: GRANTS.activity, state });
    await add('anna');
    const anna = await fixture.connect('anna');
    await fixture.reading.settle();
    expect((await fixture.reading.connections.findConnectionById(anna.connectionId))?.accountState).toBe(shown);
    if (state === 'not_linked') {
      const { body } = await fixture.call('GET', `/api/v1/users/${anna.userId}/diagnosis?provider=google`);
      expect(body.providers[0]).toMatchObject({
        cause: 'not_linked',
        severity: 'attention',
        remedy: 'set_up_account',
        sentence: expect.stringContaining('has no health profile'),
      });
      const problems = (await fixture.call('GET', '/api/v1/diagnosis')).body;
      expect(JSON.stringify(problems)).toContain('"cause":"not_linked"');
      expect(JSON.stringify(problems)).not.toContain('vendor_failing');
      // `healthctl doctor` fails if this list contains a run.
      expect((await fixture.call('GET', '/api/v1/sync/runs?unresolved=true')).body).toEqual([]);
    }
    const runs = await fixture.reading.runsOf(anna.userKey);
    expect(runs.map(({ source, status }) => [source, status]).sort()).toEqual([
      ['backfill', 'in_progress'],
      ['pull', 'failed'],
    ]);
    await fixture.control.clearRequests();
    for (let minute = 0; minute < 30; minute++) {
      await fixture.wait(60);
      await fixture.reading.settle();
    }
    expect(await fixture.control.requests({ role: 'api' })).toEqual([]);

    await fixture.control.updateAccount('anna', { state: 'linked' });
    await fixture.wait(9 * SECONDS_PER_HOUR);
    await fixture.reading.settle();
    const connection = await fixture.reading.connections.findConnectionById(anna.connectionId);
    expect(connection?.accountState).toBe('linked');
    expect(connection?.providerUserId).toBeDefined();
    expect(await fixture.samples(anna.userKey, 'steps')).toHaveLength(1);
  });
});

describe('two users with one account of the vendor', () => {
  it('both get the same data from one request', async () => {
    fixture = await openGoogleFixture({ now: '2026-11-10T12:00:00Z' });
    await fixture.control.addAccount({ id: 'anna', timeZone: 'Europe/Berlin', grants: GRANTS.activity });
    const first = await fixture.connect('anna');
    const second = await fixture.connect('anna');
    await fixture.reading.settle();
    await fixture.wait(3_600);
    await add('anna');
    await fixture.control.clearRequests();
    await fixture.pull(first);
    const one = (await fixture.control.requestCounts()).anna?.steps;
    await fixture.control.clearRequests();
    expect(await fixture.samples(second.userKey, 'steps')).toEqual(await fixture.samples(first.userKey, 'steps'));
    expect(await fixture.samples(second.userKey, 'steps')).toHaveLength(1);
    expect(one).toBe(1);
    const linked = (await fixture.reading.runsOf(second.userKey)).at(-1);
    expect(linked).toMatchObject({ source: 'linked_account', status: 'success', primary_user_id: first.userId });
  });
});
