import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGoogleSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { freePort } from '../support/free-port.js';
import type { Call } from '../support/service.js';
import { AMPLE_QUOTA, ampleVendorSettings } from '../support/simulated-vendor.js';
import { type ConnectionFixture, openConnectionFixture } from './connection-fixture.js';

/** The service in webhook mode. A test restarts it with the same vendor. */
let fixture: ConnectionFixture;
let folder: string;
let developer: Call;
let settings: Record<string, string>;
let hour = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'healthd-renewal-'));
  const keyFile = join(folder, 'service-account.json');
  const vendor = await startGoogleSimulator({ autoConsent: true, quota: AMPLE_QUOTA });
  await writeFile(keyFile, JSON.stringify(await vendor.control.serviceAccountKey()));
  settings = {
    ...ampleVendorSettings(vendor),
    CLOUDHEALTH_PROJECT_ID: vendor.projectNumber,
    CLOUDHEALTH_SERVICE_ACCOUNT_FILE: keyFile,
    HISTORICAL_SYNC_ON_CONNECT: 'false',
    PORT: String(await freePort()),
  };
  fixture = await openConnectionFixture({ role: 'all', vendor, env: settings });
  developer = await fixture.asDeveloper();
  await vendor.control.addAccount({ id: 'anna', timeZone: 'UTC' });
  await fixture.connect(await fixture.createUser(), { account: 'anna' });
});
afterAll(async () => {
  await fixture.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await fixture.vendor.control.clearFaults();
  await switchTo('webhook');
  await expect.poll(state).toBe('active');
});

const switchTo = (mode: string) => developer('PUT', '/api/v1/oauth/providers/google', { live_sync_mode: mode });
async function provider() {
  const { body } = await developer('GET', '/api/v1/oauth/providers');
  return body.find((one: { provider: string }) => one.provider === 'google');
}
const state = async () => (await provider()).subscriber_state;
const subscriberCalls = async () => (await fixture.vendor.control.requests({ role: 'subscribers' })).length;

/** @param changed settings that also apply to later starts */
async function startAgain(changed: Record<string, string> = {}): Promise<void> {
  settings = { ...settings, ...changed };
  await fixture.vendor.control.clearRequests();
  await fixture.service.restart(settings);
}

async function runningJobs(): Promise<number> {
  const { rows } = await fixture.service.pool.query(
    'select count(*)::int as running from agenda_jobs where locked_at is not null',
  );
  return rows[0].running;
}

async function storedNotifications(): Promise<number> {
  const { rows } = await fixture.service.pool.query('select count(*)::int as stored from provider_notification');
  return rows[0].stored;
}

/**
 * Records a walk of Anna at the vendor. Returns the response to the vendor's notification and the number of newly
 * stored notifications.
 */
async function walk() {
  const before = await storedNotifications();
  const startTime = new Date(Date.UTC(2026, 9, 1, hour++)).toISOString();
  const endTime = new Date(Date.parse(startTime) + 600_000).toISOString();
  await fixture.vendor.control.addPoints('anna', [{ dataType: 'steps', startTime, endTime, value: 700 }]);
  const last = async () => (await fixture.vendor.control.deliveries()).at(-1)!;
  await expect.poll(async () => (await last()).attempts.length).toBeGreaterThan(0);
  return { statuses: (await last()).attempts.slice(0, 1), stored: (await storedNotifications()) - before };
}

/** Returns the renewals that the log contains from this line on. */
function renewals(from: number) {
  const lines = fixture.service.logLines.slice(from).map((line) => JSON.parse(line));
  return lines
    .filter(({ event, msg }) => event === 'subscriber_outdated' && msg.startsWith('Registering'))
    .map(({ changed, left_behind }) => [changed, left_behind]);
}

test('changes nothing at the vendor on a restart with equal settings', async () => {
  await startAgain();
  expect(await state()).toBe('active');
  expect(await subscriberCalls()).toBe(0);
  expect(await walk()).toEqual({ statuses: [204], stored: 1 });
});

test('registers again when the service has a new URL', async () => {
  const port = String(await freePort());
  const from = fixture.service.logLines.length;
  await startAgain({ PORT: port });
  await expect.poll(state).toBe('active');
  expect(await fixture.vendor.control.subscribers()).toMatchObject([
    { endpointUri: `http://localhost:${port}/api/v1/providers/google/webhooks`, state: 'ACTIVE' },
  ]);
  expect(renewals(from)).toEqual([[['endpoint'], undefined]]);
  expect(await walk()).toEqual({ statuses: [204], stored: 1 });
});

test('registers again when the webhook secret changes', async () => {
  const from = fixture.service.logLines.length;
  const secret = 'another webhook secret of the test';
  fixture.service.watch.know(secret);
  await startAgain({ CLOUDHEALTH_WEBHOOK_SECRET: secret });
  await expect.poll(state).toBe('active');
  expect(renewals(from)).toEqual([[['secretDigest'], undefined]]);
  expect(await walk()).toEqual({ statuses: [204], stored: 1 });
  const { rows } = await fixture.service.pool.query(
    'select subscriber_registration::text as kept from provider_setting',
  );
  expect(rows[0].kept).not.toContain(secret);
});

test('names the old registration after registering under a new ID', async () => {
  const from = fixture.service.logLines.length;
  await startAgain({ CLOUDHEALTH_SUBSCRIBER_ID: 'healthd-two' });
  await expect.poll(state).toBe('active');
  const ids = (await fixture.vendor.control.subscribers()).map(({ name }) => name.split('/').at(-1));
  expect(ids.sort()).toEqual(['healthd', 'healthd-two']);
  expect(renewals(from)).toEqual([[['name'], expect.stringMatching(/\/subscribers\/healthd$/)]]);
  const deleted = await developer('DELETE', '/api/v1/providers/google/webhooks/subscriptions/healthd');
  expect(deleted.body.deleted.status).toBe('deleted');
});

test("registers an earlier version's subscriber again", async () => {
  await fixture.service.pool.query('update provider_setting set subscriber_registration = null');
  await startAgain();
  await expect.poll(state).toBe('active');
  expect(await subscriberCalls()).toBeGreaterThan(0);
  await startAgain();
  expect([await state(), await subscriberCalls()]).toEqual(['active', 0]);
});

test('stays failed after a rejection until the settings change', async () => {
  await fixture.vendor.control.addFault({
    kind: 'error',
    status: 403,
    reason: 'SERVICE_DISABLED',
    times: null,
    match: { role: 'subscribers' },
  });
  await startAgain({ CLOUDHEALTH_WEBHOOK_SECRET: 'a third webhook secret of the test' });
  await expect.poll(state).toBe('failed');
  expect((await provider()).subscriber_error).toMatch(/^operator 403/);
  // Waits for the end of the job, which stores the state before it ends. An earlier restart would repeat the job.
  await expect.poll(runningJobs).toBe(0);
  await startAgain();
  expect([await state(), await subscriberCalls()]).toEqual(['failed', 0]);
  await fixture.vendor.control.clearFaults();
  await startAgain({ CLOUDHEALTH_WEBHOOK_SECRET: 'a fourth webhook secret of the test' });
  await expect.poll(state).toBe('active');
  expect(await walk()).toEqual({ statuses: [204], stored: 1 });
});

test('ignores a subscriber that the operator registered by hand', async () => {
  await fixture.service.pool.query(
    `update provider_setting set subscriber_state = 'unmanaged', subscriber_registration = null`,
  );
  await startAgain({ PORT: String(await freePort()) });
  expect([await state(), await subscriberCalls()]).toEqual(['unmanaged', 0]);
});

test('leaves a subscriber unmanaged after a start without the project ID', async () => {
  await startAgain({ CLOUDHEALTH_PROJECT_ID: '' });
  expect(await state()).toMatch(/registering|unmanaged/);
  await expect.poll(state).toBe('unmanaged');
  expect(await subscriberCalls()).toBe(0);
  await startAgain({ CLOUDHEALTH_PROJECT_ID: fixture.vendor.projectNumber });
  expect(await state()).toBe('unmanaged');
});

test('keeps registering while the new URL is unreachable', async () => {
  const from = fixture.service.logLines.length;
  const unreachable = `http://127.0.0.1:${await freePort()}`;
  await startAgain({ API_BASE_URL: unreachable });
  await expect.poll(() => fixture.service.logLines.slice(from).some((line) => line.includes('job_retried'))).toBe(true);
  expect(await provider()).toMatchObject({ subscriber_state: 'registering', subscriber_error: null });
});
