import { type StravaSimulator, startStravaSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ProviderConfiguration } from '../cloud/index.js';
import { openChallengedReceiver } from '../testing/challenged-receiver.js';
import { STRAVA_SUBSCRIBERS as SUBSCRIBERS } from './subscribers.js';
import { callbackToken, STRAVA_WEBHOOK } from './webhook.js';

let simulator: StravaSimulator;
let receiver: Awaited<ReturnType<typeof openChallengedReceiver>>;
let endpoint: string;
beforeAll(async () => {
  simulator = await startStravaSimulator();
  receiver = await openChallengedReceiver(STRAVA_WEBHOOK, configuration);
  endpoint = receiver.endpoint;
});
afterAll(async () => {
  receiver.close();
  await simulator.close();
});
beforeEach(() => simulator.control.reset());

function configuration(change: Partial<ProviderConfiguration> = {}): ProviderConfiguration {
  const { id: clientId, secret: clientSecret } = simulator.client;
  return { clientId, clientSecret, scope: '', addresses: { ...simulator.urls }, values: {}, ...change };
}

it('creates a single subscription with a hidden token', async () => {
  expect(await SUBSCRIBERS.ensure(configuration(), endpoint)).toMatchObject([{ status: 'created' }]);
  expect(await SUBSCRIBERS.ensure(configuration(), endpoint)).toMatchObject([{ status: 'skipped' }]);
  const token = callbackToken(simulator.client.secret);
  expect(await simulator.control.subscriptions()).toMatchObject([{ callback_url: `${endpoint}?token=${token}` }]);
  const listed = await SUBSCRIBERS.list(configuration());
  expect(listed).toMatchObject([{ endpoint, dataTypes: ['activity'] }]);
  expect(JSON.stringify(listed)).not.toContain(token);
});

it("replaces the previous URL at the operator's request", async () => {
  const [before] = await SUBSCRIBERS.ensure(configuration(), `${endpoint}/old`);
  const [after] = await SUBSCRIBERS.ensure(configuration(), endpoint, { replaces: 'any' });
  expect(after).toMatchObject({ status: 'updated' });
  expect(after?.id).not.toBe(before?.id);
  expect((await SUBSCRIBERS.list(configuration())).map((one) => one.endpoint)).toEqual([endpoint]);
});

it("replaces another deployment's URL only if the caller names that URL", async () => {
  await SUBSCRIBERS.ensure(configuration(), `${endpoint}/other`);
  await expect(SUBSCRIBERS.ensure(configuration(), endpoint)).rejects.toMatchObject({
    code: 'conflict',
    reason: 'another_endpoint',
  });
  expect((await SUBSCRIBERS.list(configuration())).map((one) => one.endpoint)).toEqual([`${endpoint}/other`]);
  const moved = SUBSCRIBERS.ensure(configuration(), endpoint, { replaces: `${endpoint}/other` });
  expect(await moved).toMatchObject([{ status: 'updated' }]);
});

it('keeps the previous URL if the vendor cannot verify the new URL', async () => {
  const [before] = await SUBSCRIBERS.ensure(configuration(), endpoint);
  const dead = 'http://127.0.0.1:9/webhooks';
  const ensured = SUBSCRIBERS.ensure(configuration(), dead, { replaces: 'any' });
  await expect(ensured).rejects.toMatchObject({ code: 'invalid_request', status: 400 });
  const [restored] = await simulator.control.subscriptions();
  expect(restored?.callback_url).toBe(`${endpoint}?token=${callbackToken(simulator.client.secret)}`);
  expect(String(restored?.id)).not.toBe(before?.id);
  const updated = SUBSCRIBERS.update(configuration(), String(restored?.id), dead);
  await expect(updated).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await SUBSCRIBERS.list(configuration())).toMatchObject([{ endpoint }]);
});

it('adds the token to a URL with a query or a fragment', async () => {
  await SUBSCRIBERS.ensure(configuration(), `${endpoint}?by=us#here`);
  const token = callbackToken(simulator.client.secret);
  expect(await simulator.control.subscriptions()).toMatchObject([{ callback_url: `${endpoint}?by=us&token=${token}` }]);
  expect(await SUBSCRIBERS.list(configuration())).toMatchObject([{ endpoint: `${endpoint}?by=us` }]);
  expect(await SUBSCRIBERS.ensure(configuration(), endpoint)).toMatchObject([{ status: 'skipped' }]);
  expect(await SUBSCRIBERS.removeOwn(configuration(), endpoint)).toMatchObject([{ status: 'deleted' }]);
});

it('rejects updates, but not removals, of a missing subscription', async () => {
  const [made] = await SUBSCRIBERS.ensure(configuration(), endpoint);
  const updated = await SUBSCRIBERS.update(configuration(), made!.id, `${endpoint}/new`);
  expect(updated).toMatchObject({ status: 'updated' });
  expect(await SUBSCRIBERS.remove(configuration(), updated.id)).toEqual({ id: updated.id, status: 'deleted' });
  expect(await SUBSCRIBERS.remove(configuration(), updated.id)).toEqual({ id: updated.id, status: 'deleted' });
  await expect(SUBSCRIBERS.update(configuration(), updated.id, endpoint)).rejects.toMatchObject({ code: 'not_found' });
  expect(await SUBSCRIBERS.list(configuration())).toEqual([]);
});

it("deletes only this deployment's subscriptions", async () => {
  await SUBSCRIBERS.ensure(configuration(), `${endpoint}/other`);
  expect(await SUBSCRIBERS.removeOwn(configuration(), endpoint)).toEqual([]);
  expect(await SUBSCRIBERS.removeOwn(configuration(), `${endpoint}/other`)).toMatchObject([{ status: 'deleted' }]);
});

it('rejects invalid URLs and wrong credentials', async () => {
  const elsewhere = SUBSCRIBERS.ensure(configuration(), 'http://127.0.0.1:9/webhooks');
  await expect(elsewhere).rejects.toMatchObject({ code: 'invalid_request', status: 400 });
  await expect(SUBSCRIBERS.ensure(configuration(), 'ftp://x')).rejects.toMatchObject({ code: 'invalid_request' });
  const long = SUBSCRIBERS.ensure(configuration(), `${endpoint}/${'x'.repeat(200)}`);
  await expect(long).rejects.toMatchObject({ code: 'invalid_request', reason: 'endpoint_too_long' });
  const wrong = SUBSCRIBERS.list(configuration({ clientSecret: 'wrong' }));
  await expect(wrong).rejects.toMatchObject({ code: 'operator', status: 401 });
  expect(SUBSCRIBERS.manageable(configuration())).toBe(true);
  expect(SUBSCRIBERS.manageable(configuration({ clientSecret: undefined }))).toBe(false);
});
