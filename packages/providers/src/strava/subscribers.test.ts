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

it('the one subscription is made at an address with a token, which no list shows, and a second time nothing is done', async () => {
  expect(await SUBSCRIBERS.ensure(configuration(), endpoint)).toMatchObject([{ status: 'created' }]);
  expect(await SUBSCRIBERS.ensure(configuration(), endpoint)).toMatchObject([{ status: 'skipped' }]);
  const token = callbackToken(simulator.client.secret);
  expect(await simulator.control.subscriptions()).toMatchObject([{ callback_url: `${endpoint}?token=${token}` }]);
  const listed = await SUBSCRIBERS.list(configuration());
  expect(listed).toMatchObject([{ endpoint, dataTypes: ['activity'] }]);
  expect(JSON.stringify(listed)).not.toContain(token);
});

it('another address takes the place of the one before where an operator wants it, because the vendor has room for one', async () => {
  const [before] = await SUBSCRIBERS.ensure(configuration(), `${endpoint}/old`);
  const [after] = await SUBSCRIBERS.ensure(configuration(), endpoint, { replaces: 'any' });
  expect(after).toMatchObject({ status: 'updated' });
  expect(after?.id).not.toBe(before?.id);
  expect((await SUBSCRIBERS.list(configuration())).map((one) => one.endpoint)).toEqual([endpoint]);
});

it('a service that registers itself leaves the address of another deployment where it is, and takes the place of its own of before', async () => {
  await SUBSCRIBERS.ensure(configuration(), `${endpoint}/other`);
  await expect(SUBSCRIBERS.ensure(configuration(), endpoint)).rejects.toMatchObject({
    code: 'conflict',
    reason: 'another_endpoint',
  });
  expect((await SUBSCRIBERS.list(configuration())).map((one) => one.endpoint)).toEqual([`${endpoint}/other`]);
  const moved = SUBSCRIBERS.ensure(configuration(), endpoint, { replaces: `${endpoint}/other` });
  expect(await moved).toMatchObject([{ status: 'updated' }]);
});

it('an address that the vendor cannot verify does not cost the one before', async () => {
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

it('an address that has a query or a fragment of its own gets the token beside it, and is the same address without it', async () => {
  await SUBSCRIBERS.ensure(configuration(), `${endpoint}?by=us#here`);
  const token = callbackToken(simulator.client.secret);
  expect(await simulator.control.subscriptions()).toMatchObject([{ callback_url: `${endpoint}?by=us&token=${token}` }]);
  expect(await SUBSCRIBERS.list(configuration())).toMatchObject([{ endpoint: `${endpoint}?by=us` }]);
  expect(await SUBSCRIBERS.ensure(configuration(), endpoint)).toMatchObject([{ status: 'skipped' }]);
  expect(await SUBSCRIBERS.removeOwn(configuration(), endpoint)).toMatchObject([{ status: 'deleted' }]);
});

it('it is updated or removed by its id, and one that is not there counts as removed', async () => {
  const [made] = await SUBSCRIBERS.ensure(configuration(), endpoint);
  const updated = await SUBSCRIBERS.update(configuration(), made!.id, `${endpoint}/new`);
  expect(updated).toMatchObject({ status: 'updated' });
  expect(await SUBSCRIBERS.remove(configuration(), updated.id)).toEqual({ id: updated.id, status: 'deleted' });
  expect(await SUBSCRIBERS.remove(configuration(), updated.id)).toEqual({ id: updated.id, status: 'deleted' });
  await expect(SUBSCRIBERS.update(configuration(), updated.id, endpoint)).rejects.toMatchObject({ code: 'not_found' });
  expect(await SUBSCRIBERS.list(configuration())).toEqual([]);
});

it('leaving takes off what is ours and leaves what another deployment has', async () => {
  await SUBSCRIBERS.ensure(configuration(), `${endpoint}/other`);
  expect(await SUBSCRIBERS.removeOwn(configuration(), endpoint)).toEqual([]);
  expect(await SUBSCRIBERS.removeOwn(configuration(), `${endpoint}/other`)).toMatchObject([{ status: 'deleted' }]);
});

it('an address that does not answer the challenge, or is no address, is refused, and wrong credentials are a mistake of the deployment', async () => {
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
