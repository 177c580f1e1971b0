import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SECONDS_PER_DAY } from '@healthd/model';
import {
  type GoogleSimulator,
  type OuraSimulator,
  startGoogleSimulator,
  startOuraSimulator,
} from '@healthd/simulators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vendorSettings } from '../support/simulated-vendor.js';
import { jsonOf } from './cli-responses.js';
import { startWorld, type World } from './cli-world.js';
import { answerPrompts } from './questions.js';

let folder: string;
let google: GoogleSimulator;
let oura: OuraSimulator;
let world: World;
let address: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'healthctl-subscribers-'));
  google = await startGoogleSimulator();
  oura = await startOuraSimulator();
  const keyFile = join(folder, 'operator.json');
  await writeFile(keyFile, JSON.stringify(await google.control.serviceAccountKey()));
  world = await startWorld({
    ...vendorSettings(google),
    CLOUDHEALTH_PROJECT_ID: google.projectNumber,
    CLOUDHEALTH_SERVICE_ACCOUNT_FILE: keyFile,
    OURA_CLIENT_ID: oura.client.id,
    OURA_CLIENT_SECRET: oura.client.secret,
    OURA_API_URL: oura.urls.api,
  });
  address = `${world.url}/api/v1/providers/google/webhooks`;
});
afterAll(async () => {
  await world?.stop();
  await Promise.all([google?.close(), oura?.close()]);
  await rm(folder, { recursive: true, force: true });
});

const json = (...args: string[]) => jsonOf(world, args);

const addresses = async () => (await google.control.subscribers()).map(({ endpointUri }) => endpointUri);

test('manages a registered URL at a vendor', async () => {
  expect(await json('subscribers', 'list', 'google')).toEqual([]);
  const created = { subscription_id: 'healthd', status: 'created' };
  expect(await json('subscribers', 'register', 'google', address)).toEqual([created]);
  expect(await addresses()).toEqual([address]);
  expect(await json('subscribers', 'list', 'google')).toMatchObject([{ endpointUri: address }]);
  expect(await json('subscribers', 'show', 'google', 'healthd')).toMatchObject([{ endpointUri: address }]);
  const moved = `${address}?moved=1`;
  expect(await json('subscribers', 'update', 'google', 'healthd', moved)).toEqual([{ ...created, status: 'updated' }]);
  expect(await addresses()).toEqual([moved]);
});

test('keeps the registration if the new URL is unreachable', async () => {
  const before = await addresses();
  const nowhere = 'http://127.0.0.1:9/webhooks';
  const { code, stdout } = await world.healthctl(['subscribers', 'update', 'google', 'healthd', nowhere]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject([
    { subscription_id: 'healthd', status: 'error', error: expect.any(String) },
  ]);
  expect(await addresses()).toEqual(before);
});

test('removes a registration after the user repeats its ID', async () => {
  const question = 'Type healthd to delete';
  const remove = (types: string) =>
    answerPrompts(world, ['subscribers', 'delete', 'google', 'healthd'], [{ question, types }]);
  expect((await remove('google')).code).toBe(1);
  expect(await addresses()).toHaveLength(1);
  const removed = await remove('healthd');
  expect(removed.code, removed.shown).toBe(0);
  expect(await addresses()).toEqual([]);
  expect(await world.healthctl(['subscribers', 'show', 'google', 'healthd'])).toMatchObject({ code: 1, stdout: '' });
});

test('renews expiring registrations', async () => {
  const registered = await json('subscribers', 'register', 'oura', `${world.url}/api/v1/providers/oura/webhooks`);
  expect(registered.length).toBeGreaterThan(2);
  const ends = () => oura.control.subscriptions().then((all) => all.map(({ expiration_time: end }) => end).toSorted());
  const [before] = await ends();
  await oura.control.advanceClock(10 * SECONDS_PER_DAY);
  const renewed = await json('subscribers', 'renew', 'oura');
  expect(renewed).toHaveLength(registered.length);
  const [after] = await ends();
  expect(Date.parse(after ?? '')).toBeGreaterThan(Date.parse(before ?? ''));
});
