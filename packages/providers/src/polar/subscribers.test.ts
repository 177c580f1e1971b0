import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type PolarSimulator, startPolarSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ProviderConfiguration } from '../cloud/index.js';
import { POLAR_SUBSCRIBERS as SUBSCRIBERS } from './subscribers.js';
import { EVENTS } from './webhook.js';

let simulator: PolarSimulator;
let receiver: Server;
let endpoint: string;
beforeAll(async () => {
  simulator = await startPolarSimulator();
  // Our side of the ping, as the route answers it.
  receiver = createServer((_request, response) => response.writeHead(200).end('{}')).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`;
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

/** Registers as the service does it that keeps the secret. @returns the id */
async function registered(at = endpoint): Promise<string> {
  const [made] = await SUBSCRIBERS.ensure(configuration(), at);
  return made?.id ?? '';
}
const urls = async () => (await SUBSCRIBERS.list(configuration())).map((one) => one.endpoint);

it('the one webhook is made with all events, gives its secret once, and a second time nothing is done', async () => {
  const [made] = await SUBSCRIBERS.ensure(configuration(), endpoint);
  expect(made).toMatchObject({ status: 'created', secret: expect.stringMatching(/.{16}/) });
  const again = await SUBSCRIBERS.ensure(configuration(), endpoint, { secretOf: made?.id });
  expect(again).toEqual([{ id: made?.id, status: 'skipped' }]);
  const listed = await SUBSCRIBERS.list(configuration());
  expect(listed).toMatchObject([{ endpoint, dataTypes: EVENTS, state: 'ACTIVE' }]);
  expect(JSON.stringify(listed)).not.toContain(made?.secret);
});

it('a webhook whose secret is not stored is made again, which gives another secret', async () => {
  const id = await registered();
  const [again] = await SUBSCRIBERS.ensure(configuration(), endpoint, { secretOf: 'another one' });
  expect(again).toMatchObject({ status: 'updated', secret: expect.any(String) });
  expect(again?.id).not.toBe(id);
  expect(await urls()).toEqual([endpoint]);
});

it('another address of the same service keeps the webhook and its secret', async () => {
  const id = await registered(`${endpoint}/old`);
  const moved = await SUBSCRIBERS.ensure(configuration(), endpoint, { secretOf: id, replaces: `${endpoint}/old` });
  expect(moved).toEqual([{ id, status: 'updated' }]);
  expect(await urls()).toEqual([endpoint]);
});

it('the webhook of another deployment stays, unless an operator wants its place', async () => {
  await registered(`${endpoint}/other`);
  const refused = SUBSCRIBERS.ensure(configuration(), endpoint);
  await expect(refused).rejects.toMatchObject({ code: 'conflict', reason: 'another_endpoint' });
  expect(await urls()).toEqual([`${endpoint}/other`]);
  await SUBSCRIBERS.ensure(configuration(), endpoint, { replaces: 'any' });
  expect(await urls()).toEqual([endpoint]);
});

it('a webhook that Polar has deactivated is activated again', async () => {
  const id = await registered();
  await simulator.control.deactivateWebhook();
  expect((await SUBSCRIBERS.list(configuration()))[0]?.state).toBe('INACTIVE');
  expect(await SUBSCRIBERS.ensure(configuration(), endpoint, { secretOf: id })).toEqual([{ id, status: 'updated' }]);
  expect((await SUBSCRIBERS.list(configuration()))[0]?.state).toBe('ACTIVE');
  await simulator.control.deactivateWebhook();
  expect(await SUBSCRIBERS.renew?.(configuration())).toEqual([{ id, status: 'updated' }]);
  expect(await SUBSCRIBERS.renew?.(configuration())).toEqual([]);
});

it('a webhook is changed and removed by its id, and one that is not there counts as removed', async () => {
  const id = await registered();
  const moved = await SUBSCRIBERS.update(configuration(), id, `${endpoint}/new`);
  expect(moved).toEqual({ id, status: 'updated' });
  expect(await SUBSCRIBERS.removeOwn(configuration(), endpoint)).toEqual([]);
  expect(await SUBSCRIBERS.remove(configuration(), id)).toEqual({ id, status: 'deleted' });
  expect(await SUBSCRIBERS.remove(configuration(), id)).toEqual({ id, status: 'deleted' });
  await expect(SUBSCRIBERS.update(configuration(), id, endpoint)).rejects.toMatchObject({ code: 'not_found' });
  await registered();
  expect(await SUBSCRIBERS.removeOwn(configuration(), endpoint)).toMatchObject([{ status: 'deleted' }]);
});

it('an address that does not answer the ping is refused, and wrong credentials are a mistake of the deployment', async () => {
  const elsewhere = SUBSCRIBERS.ensure(configuration(), 'http://127.0.0.1:9/webhooks');
  await expect(elsewhere).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(SUBSCRIBERS.ensure(configuration(), 'ftp://x')).rejects.toMatchObject({ code: 'invalid_request' });
  const wrong = SUBSCRIBERS.list(configuration({ clientSecret: 'wrong' }));
  await expect(wrong).rejects.toMatchObject({ code: 'operator', status: 401 });
  expect(SUBSCRIBERS.manageable(configuration())).toBe(true);
  expect(SUBSCRIBERS.manageable(configuration({ clientSecret: undefined }))).toBe(false);
});
