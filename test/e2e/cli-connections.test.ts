import { type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AMPLE_QUOTA, ampleVendorSettings } from '../support/simulated-vendor.js';
import { startWorld, type World } from './cli-world.js';

let vendor: GoogleSimulator;
let world: World;
let user: string;
beforeAll(async () => {
  vendor = await startGoogleSimulator({ autoConsent: true, quota: AMPLE_QUOTA });
  world = await startWorld(ampleVendorSettings(vendor));
  await vendor.control.addAccount({ id: 'ada' });
  user = JSON.parse((await world.healthctl(['users', 'create'])).stdout).id;
});
afterAll(async () => {
  await world.stop();
  await vendor.close();
});

/** Follows the consent URL as the user. Calls the vendor's redirect at the service's real port. */
async function consentAt(address: string): Promise<void> {
  const back = new URL((await fetch(address, { redirect: 'manual' })).headers.get('location') ?? '');
  const done = await fetch(`${world.url}${back.pathname}${back.search}`, { redirect: 'manual' });
  expect(done.status).toBe(303);
}

test('connections connect reports the result of the printed URL', async () => {
  const none = await world.healthctl(['connections', 'list', '--user', user]);
  expect(JSON.parse(none.stdout)).toEqual([]);
  let consent: Promise<void> | undefined;
  const connected = await world.healthctl(['connections', 'connect', 'google', '--user', user, '--wait', '30s'], {
    watch: (text) => {
      const address = /Consent at (\S+)/.exec(text)?.[1];
      if (address) consent ??= consentAt(address);
    },
  });
  await consent;
  expect(connected.code, connected.stderr).toBe(0);
  expect(JSON.parse(connected.stdout)).toMatchObject([{ provider: 'google', provider_username: 'ada@example.org' }]);
  const table = await world.onTerminal(['connections', 'list', '--user', user, '--color', 'off']);
  expect(table.stdout).toMatch(/google +active +ada@example\.org/);
});

test('connections connect without waiting prints the URL for a script', async () => {
  const started = await world.healthctl(['connections', 'connect', 'google', '--user', user]);
  expect(JSON.parse(started.stdout).authorization_url).toContain(vendor.urls.authorize);
  const elsewhere = ['--redirect', 'https://evil.example'];
  const rejected = await world.healthctl(['connections', 'connect', 'google', '--user', user, ...elsewhere]);
  expect(rejected.code).not.toBe(0);
  expect(rejected.stderr).toContain('OAUTH_REDIRECT_ALLOWLIST');
  const wrong = await world.healthctl(['connections', 'connect', 'gogle', '--user', user]);
  expect([wrong.code, JSON.parse(wrong.stderr).code]).toEqual([2, 'unknown_provider']);
});

test('connections disconnect deletes data only after confirmation', async () => {
  const unsure = await world.healthctl(['connections', 'disconnect', 'google', '--user', user, '--delete-data']);
  expect([unsure.code, JSON.parse(unsure.stderr).code]).toEqual([2, 'input_needed']);
  expect(await vendor.control.grantedScopes('ada')).not.toEqual([]);
  const ended = await world.healthctl(['connections', 'disconnect', 'google', '--user', user]);
  expect(ended.code, ended.stderr).toBe(0);
  expect(await vendor.control.grantedScopes('ada')).toEqual([]);
  expect(JSON.parse(ended.stdout)).toMatchObject({ provider: 'google', status: 'revoked' });
  const [connection] = JSON.parse((await world.healthctl(['connections', 'list', '--user', user])).stdout);
  expect(connection).toMatchObject({ status: 'revoked', status_reason: 'user_disconnected' });
  const deleted = await world.healthctl(['connections', 'disconnect', 'google', '--user', user, '--delete-data', '-y']);
  expect(deleted.code, deleted.stderr).toBe(0);
  expect(JSON.parse(deleted.stdout)).toMatchObject({ id: connection.id, provider: 'google', status: 'revoked' });
});

test('providers set changes only the named settings', async () => {
  const set = async (...args: string[]) => {
    const { code, stdout, stderr } = await world.healthctl(['providers', 'set', 'google', ...args]);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  };
  expect(await set('--granularity', 'hourly')).toMatchObject({ data_granularity: 'hourly', live_sync_mode: 'pull' });
  expect(await set('--mode', 'webhook', '--disable')).toMatchObject({
    data_granularity: 'hourly',
    live_sync_mode: 'webhook',
    is_enabled: false,
    subscriber_state: 'unmanaged',
  });
  expect(await set('--mode', 'pull', '--enable')).toMatchObject({ is_enabled: true, subscriber_state: null });
  const nothing = await world.healthctl(['providers', 'set', 'google']);
  expect([nothing.code, JSON.parse(nothing.stderr).code]).toEqual([2, 'nothing_to_set']);
  const apple = await world.healthctl(['providers', 'set', 'apple', '--mode', 'pull']);
  expect(apple.stderr).toContain('does not support live sync mode configuration');
  const table = await world.onTerminal(['providers', 'list', '--color', 'off']);
  expect(table.stdout).toMatch(/google +Google Health +enabled +pull +hourly/);
});
