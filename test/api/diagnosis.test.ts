import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ConnectionFixture, openConnectionFixture } from './connection-fixture.js';
import { heartRates, payload } from './push-payloads.js';

/** The complete service with one simulated vendor. Every test has its own user and account. */
let fixture: ConnectionFixture;
let user: string;
let account: string;
beforeAll(async () => {
  fixture = await openConnectionFixture({ role: 'all', env: { HISTORICAL_SYNC_ON_CONNECT: 'false' } });
});
afterAll(() => fixture.close());
beforeEach(async () => {
  user = await fixture.createUser();
  account = (await fixture.vendor.control.addAccount({ timeZone: 'Europe/Berlin' })).id;
  await fixture.vendor.control.clearFaults();
});

const ago = (hours: number) => new Date(Date.now() - hours * MS_PER_HOUR).toISOString();

async function diagnosis() {
  const { status, body } = await fixture.call('GET', `/api/v1/users/${user}/diagnosis`);
  expect(status).toBe(200);
  return body;
}

async function providerDiagnosis(provider = 'google') {
  return (await diagnosis()).providers.find((one: { provider: string }) => one.provider === provider);
}

/** Returns the user's row in the cause's list of affected users; undefined if it is missing. */
async function grouped(cause: string, provider = 'google') {
  const { status, body } = await fixture.call(
    'GET',
    `/api/v1/diagnosis/users?provider=${provider}&cause=${cause}&limit=500`,
  );
  expect(status).toBe(200);
  expect(body.total).toBe(body.items.length);
  return body.items.find((item: { user_id: string }) => item.user_id === user);
}

async function connectAndSync(scopes?: string[]): Promise<void> {
  await fixture.connect(user, { account, ...(scopes && { scopes }) });
  await sync();
}
const sync = () => fixture.call('POST', `/api/v1/providers/google/users/${user}/sync?async=false`);

async function steps(hoursAgo: number): Promise<void> {
  const point = { dataType: 'steps', startTime: ago(hoursAgo), endTime: ago(hoursAgo - 0.1), value: 900 };
  await fixture.vendor.control.addPoints(account, [point], { notify: false });
}

/** Changes the provider's settings for all users, as an operator would. */
function setProvider(columns: string, values: string): Promise<unknown> {
  return fixture.service.pool.query(
    `insert into provider_setting (provider, ${columns}) values ('google', ${values})
     on conflict (provider) do update set (${columns}) = row (${values})`,
  );
}

/** Updates the test user's connection rows to simulate elapsed time. */
function age(change: string): Promise<unknown> {
  return fixture.service.pool.query(
    `update connection set ${change} where user_key = (select user_key from health_user where id = $1)`,
    [user],
  );
}

test('lists every connectable provider for an unconnected user', async () => {
  const { providers, time_zone: zone, is_time_zone_known: isZoneKnown } = await diagnosis();
  expect([zone, isZoneKnown]).toEqual(['UTC', false]);
  expect(providers.map((one: { cause: string }) => one.cause)).toContain('never_connected');
  expect(await providerDiagnosis()).toMatchObject({
    cause: 'never_connected',
    remedy: 'send_connect_link',
    sentence: 'Google Health: was never connected. Send the person a new connect link.',
    last_data_at: null,
  });
});

test("reports a healthy connection's last data in the user's time zone", async () => {
  await steps(3);
  await connectAndSync();
  expect(await diagnosis()).toMatchObject({ time_zone: 'Europe/Berlin', is_time_zone_known: true });
  expect(await providerDiagnosis()).toMatchObject({ cause: 'receiving', severity: 'ok', remedy: 'none' });
  expect(Date.parse((await providerDiagnosis()).last_data_at)).toBeGreaterThan(Date.now() - 4 * MS_PER_HOUR);
});

test('reports a revoked consent with its time and remedy', async () => {
  await steps(3);
  await connectAndSync();
  await fixture.vendor.control.revokeGrants(account);
  await age("token_expires_at = now() - interval '1 hour'");
  await sync();
  expect(await providerDiagnosis()).toMatchObject({
    cause: 'consent_ended',
    severity: 'problem',
    remedy: 'send_connect_link',
    details: ['refresh_failed'],
    sentence: expect.stringMatching(
      /^Google Health: the consent ended on .+\. Last data .+\. Send the person a new connect link/,
    ),
  });
  expect(Date.parse((await providerDiagnosis()).since)).toBeGreaterThan(Date.now() - MS_PER_HOUR);
  expect(await grouped('consent_ended')).toMatchObject({ since: (await providerDiagnosis()).since });
});

test('names a data type that the user did not grant', async () => {
  await steps(3);
  const all = (await fixture.authorize(user)).body.authorization_url;
  const scopes = new URL(all).searchParams.get('scope')?.split(' ') ?? [];
  await connectAndSync(scopes.filter((scope) => !scope.includes('sleep')));
  expect(await providerDiagnosis()).toMatchObject({
    cause: 'scope_missing',
    details: ['sleep'],
    remedy: 'send_connect_link',
  });
  expect(await grouped('scope_missing')).toMatchObject({ since: (await providerDiagnosis()).since });
});

test('reports a failing vendor with type, status and next attempt', async () => {
  await steps(3);
  await fixture.connect(user, { account });
  await fixture.vendor.control.addFault({ kind: 'error', status: 503, match: { dataType: 'steps' }, times: null });
  await fixture.call('POST', `/api/v1/providers/google/users/${user}/sync`);
  await expect.poll(async () => (await providerDiagnosis()).cause).toBe('vendor_failing');
  await expect
    .poll(async () => (await providerDiagnosis()).details)
    .toEqual([expect.stringMatching(/^steps: unavailable 503/)]);
  expect(await providerDiagnosis()).toMatchObject({ remedy: 'sync_now', next_try_at: expect.any(String) });
  expect(await grouped('vendor_failing')).toMatchObject({ since: (await providerDiagnosis()).since });
});

test('prefers a newer success to an older waiting backfill', async () => {
  await steps(3);
  await connectAndSync();
  await fixture.vendor.control.addFault({ kind: 'error', status: 503, match: { dataType: 'steps' }, times: null });
  await fixture.call('POST', `/api/v1/providers/google/users/${user}/sync/historical?days=3`);
  await expect.poll(async () => (await providerDiagnosis()).cause).toBe('vendor_failing');
  await expect
    .poll(async () => (await providerDiagnosis()).sentence)
    .toMatch(/ \(steps: unavailable 503[^)]*\)\. .+ \(attempt \d+ of 25\)\./);
  // Delays the backfill, which may otherwise succeed before the sync has ended.
  const { rowCount } = await fixture.service.pool.query(
    `update pull_run p set resume_at = now() + interval '1 hour' from sync_run r
      where r.run_id = p.run_id and r.source = 'backfill' and r.ended_at is null
        and r.user_key = (select user_key from health_user where id = $1)`,
    [user],
  );
  expect(rowCount).toBe(1);
  await fixture.vendor.control.clearFaults();
  const { body: synced } = await sync();
  expect(synced.status).toBe('success');
  const { body: waiting } = await fixture.call('GET', `/api/v1/users/${user}/sync/runs?retrying=true`);
  // The scheduled sync may also have failed, so other runs may be waiting too.
  expect(waiting).toContainEqual(expect.objectContaining({ source: 'backfill' }));
  expect(await providerDiagnosis()).not.toMatchObject({ cause: 'vendor_failing' });
  expect(await grouped('vendor_failing')).toBeUndefined();
  const { body: connections } = await fixture.call('GET', `/api/v1/users/${user}/connections`);
  expect(connections).toMatchObject([{ last_error: null, failing_since: null }]);
});

test('shows rejected vendor requests in runs, connection and diagnoses', async () => {
  await fixture.connect(user, { account });
  await fixture.vendor.control.addFault({ kind: 'error', status: 400, match: { account }, times: null });
  await sync();
  const { body: runs } = await fixture.call('GET', `/api/v1/users/${user}/sync/runs`);
  const message = 'Cannot read the account from the vendor (invalid_request 400 INVALID_ARGUMENT).';
  expect(runs[0]).toMatchObject({ status: 'failed', error: message });
  const { body: run } = await fixture.call('GET', `/api/v1/sync/runs/${runs[0].run_id}`);
  expect(run.metadata).toMatchObject({ error_code: 'invalid_request 400 INVALID_ARGUMENT' });
  const { body: connections } = await fixture.call('GET', `/api/v1/users/${user}/connections`);
  expect(connections[0].last_error).toBe(message);
  // Polls, because another run may still be waiting, and the problems of all users are cached for 20 seconds.
  await expect.poll(providerDiagnosis).toMatchObject({ cause: 'vendor_failing', details: [message] });
  const vendorFailing = async () => {
    const { body: problems } = await fixture.call('GET', '/api/v1/diagnosis');
    return problems.groups.find((one: { cause: string }) => one.cause === 'vendor_failing')?.details.join();
  };
  await expect.poll(vendorFailing, { timeout: 30_000 }).toContain('invalid_request 400');
}, 60_000);

test('never reports a last data time in the future', async () => {
  await steps(3);
  await connectAndSync();
  await fixture.service.pool.query(
    `update day_value set last_at = now() + interval '9 hours' where user_key = (select user_key from health_user where id = $1)`,
    [user],
  );
  const { providers, diagnosed_at: at } = await diagnosis();
  expect(providers[0].last_data_at).toBe(at);
});

test('reports a used-up quota with the time of the next attempt', async () => {
  await fixture.connect(user, { account });
  await fixture.vendor.control.addFault({ kind: 'error', status: 429, times: null });
  await fixture.call('POST', `/api/v1/providers/google/users/${user}/sync`);
  await expect.poll(async () => (await providerDiagnosis()).cause).toBe('quota_spent');
  expect(await providerDiagnosis()).toMatchObject({
    severity: 'attention',
    remedy: 'none',
    next_try_at: expect.any(String),
  });
  expect(await grouped('quota_spent')).toMatchObject({ since: (await providerDiagnosis()).since });
});

test('reports a webhook vendor that sent no notification for 30 days', async () => {
  await steps(3);
  await connectAndSync();
  await setProvider('live_sync_mode, subscriber_state', `'webhook', 'active'`);
  await age("last_notified_at = now() - interval '30 days'");
  expect(await providerDiagnosis()).toMatchObject({ cause: 'webhook_silent', remedy: 'sync_now' });
  expect(await grouped('webhook_silent')).toMatchObject({ since: (await providerDiagnosis()).since });
  await setProvider('live_sync_mode, subscriber_state', 'null, null');
});

test('reports a phone that has not pushed for two days', async () => {
  const body = payload('apple', { records: heartRates(1) });
  expect((await fixture.call('POST', `/api/v1/sdk/users/${user}/sync`, body)).status).toBe(202);
  await expect.poll(async () => (await providerDiagnosis('apple'))?.last_data_at).not.toBeNull();
  await age("last_synced_at = now() - interval '3 days'");
  expect(await providerDiagnosis('apple')).toMatchObject({
    cause: 'phone_silent',
    severity: 'problem',
    remedy: 'open_phone_app',
    sentence: expect.stringMatching(
      /the phone has sent nothing since .+ Ask the person to open the app on the phone\.$/,
    ),
  });
  expect(await grouped('phone_silent', 'apple')).toMatchObject({ since: (await providerDiagnosis('apple')).since });
});

test('reports a device that recorded no data', async () => {
  await steps(100);
  await connectAndSync();
  const since = Math.floor(Date.parse(ago(120)) / 1000);
  const path = `/api/v1/providers/google/users/${user}/sync?async=false&since=${since}`;
  expect((await fixture.call('POST', path)).status).toBe(200);
  expect(await providerDiagnosis()).toMatchObject({ cause: 'nothing_recorded', remedy: 'check_device' });
});

test('reports a disabled provider and a run that waits for its slot', async () => {
  await steps(3);
  await connectAndSync();
  await setProvider('is_enabled', 'false');
  expect(await providerDiagnosis()).toMatchObject({ cause: 'provider_disabled', remedy: 'enable_provider' });
  expect(await grouped('provider_disabled')).toMatchObject({ since: (await providerDiagnosis()).since });
  await setProvider('is_enabled', 'true');
  await fixture.service.pool.query(
    `insert into sync_run (run_id, user_key, provider, source, stage, status, created_at)
     select 'xml_waiting', user_key, 'google', 'xml_import', 'queued', 'in_progress', now() - interval '1 hour'
       from health_user where id = $1`,
    [user],
  );
  expect(await providerDiagnosis()).toMatchObject({ cause: 'run_waiting', details: ['xml_waiting'] });
  expect(await grouped('run_waiting')).toMatchObject({ since: (await providerDiagnosis()).since });
});

test('reports archived samples and an unknown time zone', async () => {
  await steps(3);
  await connectAndSync();
  await age("time_zone = null, last_synced_at = now() - interval '40 days'");
  const { pool } = fixture.service;
  const key = (await pool.query('select user_key from health_user where id = $1', [user])).rows[0].user_key;
  await pool.query('delete from offset_day where user_key = $1', [key]);
  expect(await providerDiagnosis()).toMatchObject({ cause: 'zone_unknown', remedy: 'set_time_zone' });
  const tomorrow = new Date(Date.now() + MS_PER_DAY).toISOString().slice(0, 10);
  await pool.query('insert into user_archive (user_key, archived_before) values ($1, $2)', [key, tomorrow]);
  expect(await providerDiagnosis()).toMatchObject({ cause: 'archived', details: [tomorrow] });
});

test('counts problems of all users by provider and cause', async () => {
  await steps(3);
  await connectAndSync();
  const problems = async () => (await fixture.call('GET', '/api/v1/diagnosis')).body;
  const ended = async () =>
    (await problems()).groups.find((group: { cause: string }) => group.cause === 'consent_ended') ?? { connections: 0 };
  const { total } = (await fixture.call('GET', '/api/v1/diagnosis/users?provider=google&cause=consent_ended')).body;
  await fixture.vendor.control.revokeGrants(account);
  await age("token_expires_at = now() - interval '1 hour'");
  await sync();
  // Polls, because concurrent checks share a cached result for several seconds.
  await expect.poll(async () => (await ended()).connections, { timeout: 60_000 }).toBe(total + 1);
  const { since } = await providerDiagnosis();
  expect(await ended()).toMatchObject({
    provider: 'google',
    provider_name: 'Google Health',
    severity: 'problem',
    remedy: 'send_connect_link',
    last_since: since,
    details: ['refresh_failed'],
  });
  const { working, groups } = await problems();
  const { rows } = await fixture.service.pool.query('select count(*)::int as all from connection');
  const troubled = groups.reduce((sum: number, group: { connections: number }) => sum + group.connections, 0);
  expect(working + troubled).toBe(rows[0].all);
});

test('diagnoses a single provider, even if the user never connected it', async () => {
  await steps(3);
  await connectAndSync();
  const of = async (provider: string) =>
    (await fixture.call('GET', `/api/v1/users/${user}/diagnosis?provider=${provider}`)).body.providers;
  const all = (await diagnosis()).providers;
  expect(all.length).toBeGreaterThan(0);
  expect(await of('google')).toEqual(all.filter((one: { provider: string }) => one.provider === 'google'));
  expect(await of('oura')).toMatchObject([{ provider: 'oura', last_data_at: null, since: null }]);
  expect((await fixture.call('GET', `/api/v1/users/${user}/diagnosis?provider=unknown`)).status).toBe(422);
});

test('rejects an unknown user', async () => {
  const unknown = '00000000-0000-4000-8000-000000000000';
  expect((await fixture.call('GET', `/api/v1/users/${unknown}/diagnosis`)).status).toBe(404);
});
