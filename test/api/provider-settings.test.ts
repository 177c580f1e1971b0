import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGoogleSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/free-port.js';
import type { Call } from '../support/service.js';
import { startWholeService, type WholeService } from '../support/whole-service.js';
import { type ConnectionFixture, openConnectionFixture } from './connection-fixture.js';

/**
 * Starts the service with the operator's credentials at a simulated vendor, which sends webhooks to the service's real
 * port.
 */
async function openManagedFixture(): Promise<{ fixture: ConnectionFixture; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'healthd-operator-'));
  const keyFile = join(folder, 'service-account.json');
  const vendor = await startGoogleSimulator();
  await writeFile(keyFile, JSON.stringify(await vendor.control.serviceAccountKey()));
  const fixture = await openConnectionFixture({
    role: 'all',
    vendor,
    env: {
      CLOUDHEALTH_PROJECT_ID: vendor.projectNumber,
      CLOUDHEALTH_SERVICE_ACCOUNT_FILE: keyFile,
      // The vendor calls this port, so it must be known before the service listens.
      PORT: String(await freePort()),
    },
  });
  return { fixture, folder };
}

describe('providers', () => {
  let bare: WholeService;
  let fixture: ConnectionFixture;
  let developer: Call;
  beforeAll(async () => {
    bare = await startWholeService();
    fixture = await openConnectionFixture();
    developer = await fixture.asDeveloper();
  });
  afterAll(async () => {
    await bare.stop();
    await fixture.close();
  });

  const list = async (service: { url: string }, query = '') =>
    (await (await fetch(`${service.url}/api/v1/oauth/providers${query}`)).json()) as { provider: string }[];

  test('are listed to every caller if they are usable', async () => {
    expect(await list(fixture.service)).toMatchObject([
      { provider: 'apple', name: 'Apple Health', has_cloud_api: false, live_sync_mode: null },
      { provider: 'samsung', live_sync_configurable: false, is_configured: true },
      {
        provider: 'google',
        name: 'Google Health',
        has_cloud_api: true,
        is_enabled: true,
        is_configured: true,
        icon_url: '/static/provider-icons/google.svg',
        live_sync_mode: 'pull',
        live_sync_configurable: true,
        data_granularity: null,
        subscriber_state: null,
        subscriber_error: null,
      },
      { provider: 'workout_files', name: 'Workout files', has_cloud_api: false, live_sync_mode: null },
    ]);
    expect((await list(fixture.service, '?cloud_only=true')).map(({ provider }) => provider)).toEqual(['google']);
    expect(await list(bare, '?include_unconfigured=true')).toContainEqual(
      expect.objectContaining({ provider: 'oura', is_configured: false }),
    );
  });

  test('name the missing settings if authorized without credentials', async () => {
    const headers = { [bare.apiKeyHeader]: bare.apiKey };
    const made = await fetch(`${bare.url}/api/v1/users`, { method: 'POST', headers });
    const { id } = (await made.json()) as { id: string };
    const response = await fetch(`${bare.url}/api/v1/oauth/google/authorize?user_id=${id}`, { headers });
    expect([response.status, ((await response.json()) as { detail: string }).detail]).toEqual([
      409,
      "Provider 'google' is not configured: set CLOUDHEALTH_CLIENT_ID and CLOUDHEALTH_CLIENT_SECRET.",
    ]);
  });

  test('keep settings that an update omits', async () => {
    const path = '/api/v1/oauth/providers/google';
    expect((await developer('PUT', path, { data_granularity: 'hourly' })).body).toMatchObject({
      data_granularity: 'hourly',
      live_sync_mode: 'pull',
      is_enabled: true,
    });
    expect((await developer('PUT', path, {})).body).toMatchObject({
      data_granularity: 'hourly',
      live_sync_mode: 'pull',
    });
    expect((await developer('PUT', path, { is_enabled: null })).body).toMatchObject({
      data_granularity: 'hourly',
      is_enabled: true,
    });
  });

  test('reset to the default granularity with null', async () => {
    const path = '/api/v1/oauth/providers/google';
    await developer('PUT', path, { data_granularity: 'daily' });
    expect((await developer('PUT', path, { data_granularity: null })).body.data_granularity).toBeNull();
    const listed = (await developer('GET', '/api/v1/oauth/providers')).body;
    expect(listed.find(({ provider }: { provider: string }) => provider === 'google').data_granularity).toBeNull();
  });

  test.each([
    [{ live_sync_mode: null }, 'live_sync_mode cannot be null; omit it to keep its value'],
    [{ live_sync_mode: 'push' }, "Input should be 'pull' or 'webhook'"],
    [{ live_sync_mode: 7 }, "Input should be 'pull' or 'webhook'"],
  ])('reject %j with 400', async (body, detail) => {
    expect(await developer('PUT', '/api/v1/oauth/providers/google', body)).toMatchObject({
      status: 400,
      body: { detail },
    });
  });

  test('reject a mode change if they have a single mode', async () => {
    expect(await developer('PUT', '/api/v1/oauth/providers/apple', { live_sync_mode: 'pull' })).toMatchObject({
      status: 400,
      body: { detail: "Provider 'apple' does not support live sync mode configuration" },
    });
    const unknown = await developer('PUT', '/api/v1/oauth/providers/acme', {});
    expect([unknown.status, unknown.body.detail[0].loc]).toEqual([422, ['path', 'provider']]);
  });

  test('are enabled and disabled together or not at all', async () => {
    const path = '/api/v1/oauth/providers';
    const wrong = await developer('PUT', path, { providers: { samsung: false, acme: true } });
    expect([wrong.status, wrong.body.detail[0].msg]).toEqual([422, expect.stringContaining('Unknown provider: acme')]);
    const { body } = await developer('PUT', path, { providers: { samsung: false, google: true } });
    expect(
      body.map(({ provider, is_enabled }: { provider: string; is_enabled: boolean }) => [provider, is_enabled]),
    ).toEqual([
      ['apple', true],
      ['samsung', false],
      ['google', true],
      ['workout_files', true],
    ]);
    expect((await list(fixture.service, '?enabled_only=true')).map(({ provider }) => provider)).toEqual([
      'apple',
      'google',
      'workout_files',
    ]);
  });

  test('respond 501 without logging an error if they lack webhooks', async () => {
    const { status } = await fixture.call('POST', '/api/v1/providers/apple/webhooks', {});
    expect(status).toBe(501);
    const line = fixture.service.logLines.map((text) => JSON.parse(text)).findLast(({ res }) => res?.status === 501);
    expect(line).toMatchObject({ level: 30, msg: expect.stringMatching(/ 501$/) });
    expect(line).not.toHaveProperty('err');
  });

  test('can be changed only by developers', async () => {
    expect((await fixture.call('PUT', '/api/v1/oauth/providers/google', { is_enabled: false })).status).toBe(401);
  });

  test('are unmanaged in webhook mode if their webhooks cannot be registered', async () => {
    const switched = await developer('PUT', '/api/v1/oauth/providers/google', { live_sync_mode: 'webhook' });
    expect([switched.status, switched.body.live_sync_mode, switched.body.subscriber_state]).toEqual([
      200,
      'webhook',
      'unmanaged',
    ]);
    const back = await developer('PUT', '/api/v1/oauth/providers/google', { live_sync_mode: 'pull' });
    expect(back.body).toMatchObject({ live_sync_mode: 'pull', subscriber_state: null });
  });

  test("have no manageable subscriptions without the operator's credentials", async () => {
    const at = (provider: string) => developer('GET', `/api/v1/providers/${provider}/webhooks/subscriptions`);
    expect(await at('google')).toMatchObject({ status: 409 });
    expect(await at('apple')).toMatchObject({ status: 501 });
    expect(await at('acme')).toMatchObject({ status: 404, body: { detail: "Unknown provider: 'acme'" } });
  });
});

describe('a provider with managed webhooks', () => {
  let fixture: ConnectionFixture;
  let folder: string;
  let developer: Call;
  beforeAll(async () => {
    ({ fixture, folder } = await openManagedFixture());
    developer = await fixture.asDeveloper();
  });
  afterAll(async () => {
    await fixture.close();
    await rm(folder, { recursive: true, force: true });
  });

  const setMode = (mode: string) => developer('PUT', '/api/v1/oauth/providers/google', { live_sync_mode: mode });
  const now = async () => {
    const { body } = await developer('GET', '/api/v1/oauth/providers');
    return body.find(({ provider }: { provider: string }) => provider === 'google');
  };
  const subscriptions = '/api/v1/providers/google/webhooks/subscriptions';

  test('is registered when switched to webhooks', async () => {
    const { body } = await setMode('webhook');
    expect(body).toMatchObject({ live_sync_mode: 'webhook', subscriber_state: 'registering' });
    await expect.poll(async () => (await now()).subscriber_state).toBe('active');
    expect(await fixture.vendor.control.subscribers()).toMatchObject([
      { endpointUri: expect.stringMatching(/\/api\/v1\/providers\/google\/webhooks$/), state: 'ACTIVE' },
    ]);
  });

  test('reads and deletes the listed subscription', async () => {
    const { body } = await developer('GET', subscriptions);
    expect(body.subscriptions).toMatchObject([{ endpointUri: expect.any(String) }]);
    expect(JSON.stringify(body)).not.toContain('a webhook secret');
    expect((await developer('GET', `${subscriptions}/healthd`)).body.subscription).toMatchObject({
      endpointUri: expect.any(String),
    });
    expect((await developer('GET', `${subscriptions}/nobody`)).body).toEqual({ subscription: null });
    expect((await developer('POST', `${subscriptions}/renew`)).status).toBe(501);
    const missing = await developer('PUT', `${subscriptions}/healthd`);
    expect([missing.status, missing.body.detail[0].loc]).toEqual([422, ['query', 'callback_url']]);
    const deleted = await developer('DELETE', `${subscriptions}/healthd`);
    expect(deleted.body).toMatchObject({ deleted: { subscription_id: 'healthd', status: 'deleted' } });
    expect(await fixture.vendor.control.subscribers()).toEqual([]);
  });

  test('resolves a registration conflict by updating the existing subscription', async () => {
    const at = (query: string) => `?callback_url=${encodeURIComponent(query)}`;
    const hook = `${fixture.service.url}/api/v1/providers/google/webhooks`;
    const create = () => developer('POST', `${subscriptions}${at(hook)}`);
    expect((await create()).body.subscriptions).toEqual([{ subscription_id: 'healthd', status: 'created' }]);
    expect((await create()).body.subscriptions).toEqual([{ subscription_id: 'healthd', status: 'updated' }]);
    const moved = await developer('PUT', `${subscriptions}/healthd${at(`${hook}?moved=1`)}`);
    expect(moved.body).toEqual({ updated: { subscription_id: 'healthd', status: 'updated' } });
    expect(await fixture.vendor.control.subscribers()).toMatchObject([
      { endpointUri: `${hook}?moved=1`, state: 'ACTIVE' },
    ]);
    const nowhere = await developer('PUT', `${subscriptions}/healthd${at('http://127.0.0.1:9/nobody')}`);
    expect(nowhere.body.updated).toMatchObject({
      subscription_id: 'healthd',
      status: 'error',
      error: expect.any(String),
    });
    const remove = () => developer('DELETE', `${subscriptions}/healthd`);
    expect((await remove()).body.deleted.status).toBe('deleted');
    expect((await remove()).status).toBe(404);
  });

  test('loses its managed webhook registration when switched back', async () => {
    await setMode('webhook');
    await expect.poll(async () => (await now()).subscriber_state).toBe('active');
    await setMode('pull');
    await expect.poll(async () => (await now()).subscriber_state).toBe(null);
    expect(await fixture.vendor.control.subscribers()).toEqual([]);
  });

  test('shows why the vendor rejected a subscription until a retry', async () => {
    await fixture.vendor.control.addFault({
      kind: 'error',
      status: 403,
      reason: 'SERVICE_DISABLED',
      times: null,
      match: { role: 'subscribers' },
    });
    await setMode('webhook');
    await expect.poll(async () => (await now()).subscriber_state).toBe('failed');
    expect((await now()).subscriber_error).toMatch(/^\w+ 403/);
    await fixture.vendor.control.clearFaults();
    await setMode('webhook');
    await expect.poll(async () => (await now()).subscriber_state).toBe('active');
  });
});
