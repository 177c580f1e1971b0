import { type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AMPLE_QUOTA, ampleVendorSettings } from '../support/simulated-vendor.js';
import { startWorld, type World } from './cli-world.js';

let vendor: GoogleSimulator;
let world: World;
let user: string;
beforeAll(async () => {
  vendor = await startGoogleSimulator({ autoConsent: true, quota: AMPLE_QUOTA });
  world = await startWorld({ ...ampleVendorSettings(vendor), HISTORICAL_SYNC_ON_CONNECT: 'false' });
  await vendor.control.addAccount({ id: 'ada' });
  await vendor.control.seedHistory('ada', { days: 6, dataTypes: ['steps', 'weight'] });
  user = JSON.parse((await world.healthctl(['users', 'create'])).stdout).id;
});
afterAll(async () => {
  await world.stop();
  await vendor.close();
});

const healthctl = (...args: string[]) => world.healthctl([...args, '--user', user]);
const lines = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('sync run of a user who is not connected fails at once and says so', async () => {
  const ended = await healthctl('sync', 'run', '--provider', 'google');
  expect(ended.code).toBe(1);
  expect(JSON.parse(ended.stderr)).toMatchObject({ code: 'not_found', message: 'User not connected to google' });
});

test('sync run reads what is new, follows the run and ends with its result', async () => {
  const begun = await healthctl('connections', 'connect', 'google');
  const page = await fetch(JSON.parse(begun.stdout).authorization_url, { redirect: 'manual' });
  const back = new URL(page.headers.get('location') ?? '');
  expect((await fetch(`${world.url}${back.pathname}${back.search}`, { redirect: 'manual' })).status).toBe(303);

  const ended = await healthctl('sync', 'run', '--provider', 'google');
  expect(ended.code, ended.stderr).toBe(0);
  const events = lines(ended.stdout);
  expect(events[0]).toMatchObject({ event: 'accepted', run_id: expect.stringMatching(/^pull_/) });
  expect(events.filter(({ event }) => event === 'result')).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ event: 'result', source: 'pull', status: 'success' });
});

test('sync historical reads the past; sync status and a person at a terminal see it', async () => {
  const ended = await healthctl('sync', 'historical', '--provider', 'google', '--days', '4');
  expect(ended.code, ended.stderr).toBe(0);
  const result = lines(ended.stdout).at(-1);
  expect(result).toMatchObject({ source: 'backfill', status: 'success', metadata: { days: 4 } });
  expect(result.metadata.data_types.steps.inserted).toBeGreaterThan(0);
  const listed = JSON.parse((await healthctl('sync', 'status')).stdout);
  expect(listed.map(({ source }: { source: string }) => source)).toContain('backfill');
  const shown = await world.onTerminal(['runs', 'watch', result.run_id, '--color', 'off']);
  expect(shown.stdout).toMatch(/steps +[\d,]+ new, 0 changed, 0 removed/);
});

test('a kind of data that fails makes sync run end with 3', async () => {
  await vendor.control.addFault({ kind: 'error', status: 400, match: { dataType: 'weight' }, times: null });
  const ended = await healthctl('sync', 'run', '--provider', 'google');
  await vendor.control.clearFaults();
  expect(ended.code).toBe(3);
  expect(lines(ended.stdout).at(-1).metadata.data_types.weight).toMatchObject({ status: 'failed' });
});

test('doctor says how the vendor is used and that lookback is off', async () => {
  const { stdout } = await world.healthctl(['doctor']);
  const findings: { check: string; state: string; found: string }[] = JSON.parse(stdout);
  expect(findings).toContainEqual(expect.objectContaining({ check: 'provider', found: 'google is polled' }));
  expect(findings).toContainEqual(expect.objectContaining({ check: 'lookback', state: 'warning' }));
});
