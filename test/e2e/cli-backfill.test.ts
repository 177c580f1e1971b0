import { type GarminSimulator, startGarminSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { garminSettings } from '../support/simulated-vendor.js';
import { startWorld, type World } from './cli-world.js';

let vendor: GarminSimulator;
let world: World;
let user: string;
beforeAll(async () => {
  vendor = await startGarminSimulator({ autoConsent: true });
  await vendor.control.addAccount({ id: 'ada' });
  world = await startWorld({ ...garminSettings(vendor), HISTORICAL_SYNC_ON_CONNECT: 'false' });
  user = JSON.parse((await world.healthctl(['users', 'create'])).stdout).id;
  const started = await world.healthctl(['connections', 'connect', 'garmin', '--user', user]);
  const page = await fetch(JSON.parse(started.stdout).authorization_url, { redirect: 'manual' });
  const back = new URL(page.headers.get('location') ?? '');
  await fetch(`${world.url}${back.pathname}${back.search}`, { redirect: 'manual' });
});
afterAll(async () => {
  await world?.stop();
  await vendor?.close();
});

const backfill = (...args: string[]) =>
  world.healthctl(['sync', 'backfill', ...args, '--user', user, '--provider', 'garmin']);
const typesOf = async (): Promise<Record<string, string>> => {
  const types: { type: string; state: string }[] = JSON.parse((await backfill('status')).stdout);
  return Object.fromEntries(types.map(({ type, state }) => [type, state]));
};

test('sync backfill retries the data types that it cancelled', async () => {
  const none = await backfill('status');
  expect(none.code, none.stderr).toBe(0);
  expect(none.stderr).toContain('The backfill is pending.');

  await vendor.control.setExportDelay(3_600);
  const started = await world.healthctl(['sync', 'historical', '--user', user, '--provider', 'garmin', '--no-wait']);
  expect(started.code, started.stderr).toBe(0);
  await expect.poll(typesOf, { interval: 500 }).toMatchObject({ dailies: 'requested', hrv: 'requested' });
  const shown = await world.onTerminal(['sync', 'backfill', 'status', '-u', user, '-p', 'garmin', '--color', 'off']);
  expect(shown.stdout).toMatch(/dailies +requested +0/);

  const cancelled = await backfill('cancel');
  expect(cancelled.code, cancelled.stderr).toBe(0);
  expect(JSON.parse(cancelled.stdout)).toMatchObject({ success: true, user_id: user });
  const again = await backfill('cancel');
  expect([again.code, JSON.parse(again.stderr).code]).toEqual([1, 'conflict']);

  const retried = await backfill('retry', 'hrv');
  expect(retried.code, retried.stderr).toBe(0);
  expect(JSON.parse(retried.stdout)).toMatchObject({ type: 'hrv', status: 'triggered' });
  const unknown = await backfill('retry', 'hearts');
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('Valid types');
});
