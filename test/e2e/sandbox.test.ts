import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectGoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { freePort } from '../support/free-port.js';
import { BUILT } from '../support/programs.js';
import { vendorSettings } from '../support/simulated-vendor.js';
import { startWorld, type World } from './cli-world.js';

let folder: string;
let port: string;
let world: World | undefined;

beforeAll(async () => {
  port = String(await freePort());
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-e2e-'));
  await chmod(folder, 0o755);
});
afterEach(async () => {
  await world?.stop();
  world = undefined;
  await rm(folder, { recursive: true, force: true });
});

async function start(settings: Record<string, string>): Promise<World> {
  await world?.stop();
  world = await startWorld({ PORT: port, ...settings }, folder);
  return world;
}

/** Starts the service with settings that must make the start fail. */
function failedStart(settings: Record<string, string>): Promise<{ code: number | null; stderr: string }> {
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: join(folder, 'home'), DATA_DIR: join(folder, 'data'), PORT: port, METRICS_PORT: '0' };
  const child = spawn(process.execPath, [BUILT.healthd], {
    env: { ...env, ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  return new Promise((done) => child.once('close', (code) => done({ code, stderr })));
}

async function api(method: string, path: string, ...options: string[]) {
  const { code, stdout, stderr } = await world!.healthctl(['api', ...options, method, path]);
  expect(code, stderr).toBe(0);
  return stdout === '' ? undefined : JSON.parse(stdout);
}

/** Connects a user with the requests of a browser. @param hint the person's name at the vendor */
async function connect(user: string, hint: string): Promise<{ success: boolean; origin: string }> {
  const { authorization_url } = await api('get', `/oauth/google/authorize?user_id=${user}`);
  const page = new URL(authorization_url);
  const form = new URLSearchParams({ account: hint, decision: 'allow' });
  for (const scope of page.searchParams.get('scope')?.split(' ') ?? []) form.append('scope', scope);
  const response = await fetch(page, { method: 'POST', body: form, headers: { accept: 'application/json' } });
  return { ...((await response.json()) as { success: boolean }), origin: page.origin };
}

async function newUser(): Promise<string> {
  return (await api('post', '/users', '--data', '{}')).id;
}

async function connectionOf(user: string) {
  return (await api('get', `/users/${user}/connections`))[0];
}

async function subscriberState(): Promise<string | undefined> {
  const providers: { provider: string; subscriber_state: string }[] = await api('get', '/oauth/providers');
  return providers.find(({ provider }) => provider === 'google')?.subscriber_state;
}

test('rejects a real vendor or an open network', async () => {
  const network = await failedStart({ SANDBOX: 'true', HOST: '0.0.0.0' });
  expect(network.code).toBe(78);
  expect(network.stderr).toMatch(/^healthd: SANDBOX requires a HOST .*"0\.0\.0\.0"\n$/);
  const vendor = await failedStart({ SANDBOX: 'true', CLOUDHEALTH_CLIENT_ID: 'a', CLOUDHEALTH_CLIENT_SECRET: 'b' });
  expect(vendor.code).toBe(78);
  expect(vendor.stderr).toMatch(/^healthd: SANDBOX .*CLOUDHEALTH_CLIENT_ID\n$/);
});

test('configures every cloud provider with stable account IDs', async () => {
  await start({ SANDBOX: 'true', HISTORICAL_SYNC_ON_CONNECT: 'false' });
  const clouds: { is_configured: boolean }[] = await api('get', '/oauth/providers?cloud_only=true');
  expect(clouds.length).toBeGreaterThan(3);
  expect(clouds.filter(({ is_configured }) => !is_configured)).toEqual([]);
  const [first, second] = [await newUser(), await newUser()];
  expect(await connect(first, 'alex')).toMatchObject({ success: true });
  expect(await connectionOf(first)).toMatchObject({ status: 'active', provider_username: 'alex@example.org' });
  const account = (await connectionOf(first)).provider_user_id;
  await connect(second, 'no-health-profile');
  expect(await connectionOf(second)).toMatchObject({ account_state: 'not_linked' });

  await api('put', '/oauth/providers/google', '--developer', '--data', '{"live_sync_mode":"webhook"}');
  await expect.poll(subscriberState, { interval: 500 }).toBe('active');

  await start({ SANDBOX: 'true', HISTORICAL_SYNC_ON_CONNECT: 'false' });
  const { success, origin } = await connect(first, 'alex');
  expect(success).toBe(true);
  expect(await connectionOf(first)).toMatchObject({ status: 'active', provider_user_id: account });
  // The vendor lost the subscriber with all its other data. The service subscribes again automatically.
  const { control } = await connectGoogleSimulator(origin);
  await expect.poll(async () => (await control.subscribers()).map(({ state }) => state)).toEqual(['ACTIVE']);
  await expect.poll(subscriberState, { interval: 500 }).toBe('active');
  expect((await stat(join(folder, 'data', 'sandbox-service-account.json'))).mode & 0o077).toBe(0);
});

test('does not open or change a data directory with real connections', async () => {
  // A vendor URL in the operator's own settings counts as the real vendor's URL, regardless of its host.
  const vendor = await startGoogleSimulator();
  const settings = { ...vendorSettings(vendor), HISTORICAL_SYNC_ON_CONNECT: 'false' };
  try {
    await vendor.control.addAccount({ id: 'jo' });
    await start(settings);
    const user = await newUser();
    expect(await connect(user, 'jo')).toMatchObject({ success: true });
    await world?.stop();
    world = undefined;

    const rejected = await failedStart({ SANDBOX: 'true' });
    expect(rejected.code).toBe(78);
    expect(rejected.stderr).toContain(
      `healthd: SANDBOX cannot be used with the data directory ${join(folder, 'data')}`,
    );

    await start(settings);
    expect(await connectionOf(user)).toMatchObject({ status: 'active' });
  } finally {
    await vendor.close();
  }
});
