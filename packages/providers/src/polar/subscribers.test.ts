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
  // Responds to the ping like the service's webhook route.
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

/**
 * Registers the webhook like a service that stores the secret.
 * @returns the webhook's id
 */
async function registered(at = endpoint): Promise<string> {
  const [made] = await SUBSCRIBERS.ensure(configuration(), at);
  return made?.id ?? '';
}
const urls = async () => (await SUBSCRIBERS.list(configuration())).map((one) => one.endpoint);

it('returns the secret only when creating the webhook', async () => {
  const [made] = await SUBSCRIBERS.ensure(configuration(), endpoint);
  expect(made).toMatchObject({ status: 'created', secret: expect.stringMatching(/.{16}/) });
  const again = await SUBSCRIBERS.ensure(configuration(), endpoint, { secretOf: made?.id });
  expect(again).toEqual([{ id: made?.id, status: 'skipped' }]);
  const listed = await SUBSCRIBERS.list(configuration());
  expect(listed).toMatchObject([{ endpoint, dataTypes: EVENTS, state: 'ACTIVE' }]);
  expect(JSON.stringify(listed)).not.toContain(made?.secret);
});

it('recreates a webhook whose secret is not stored', async () => {
  const id = await registered();
  const [again] = await SUBSCRIBERS.ensure(configuration(), endpoint, { secretOf: 'another one' });
  expect(again).toMatchObject({ status: 'updated', secret: expect.any(String) });
  expect(again?.id).not.toBe(id);
  expect(await urls()).toEqual([endpoint]);
});

it('keeps the webhook and its secret when the URL changes', async () => {
  const id = await registered(`${endpoint}/old`);
  const moved = await SUBSCRIBERS.ensure(configuration(), endpoint, { secretOf: id, replaces: `${endpoint}/old` });
  expect(moved).toEqual([{ id, status: 'updated' }]);
  expect(await urls()).toEqual([endpoint]);
});

it('replaces another deployment’s webhook only at the operator’s request', async () => {
  await registered(`${endpoint}/other`);
  const registration = SUBSCRIBERS.ensure(configuration(), endpoint);
  await expect(registration).rejects.toMatchObject({ code: 'conflict', reason: 'another_endpoint' });
  expect(await urls()).toEqual([`${endpoint}/other`]);
  await SUBSCRIBERS.ensure(configuration(), endpoint, { replaces: 'any' });
  expect(await urls()).toEqual([endpoint]);
});

it('reactivates a webhook that Polar deactivated', async () => {
  const id = await registered();
  await simulator.control.deactivateWebhook();
  expect((await SUBSCRIBERS.list(configuration()))[0]?.state).toBe('INACTIVE');
  expect(await SUBSCRIBERS.ensure(configuration(), endpoint, { secretOf: id })).toEqual([{ id, status: 'updated' }]);
  expect((await SUBSCRIBERS.list(configuration()))[0]?.state).toBe('ACTIVE');
  await simulator.control.deactivateWebhook();
  expect(await SUBSCRIBERS.renew?.(configuration())).toEqual([{ id, status: 'updated' }]);
  expect(await SUBSCRIBERS.renew?.(configuration())).toEqual([]);
});

it('manages a webhook by its id', async () => {
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

it('rejects unreachable or invalid URLs and wrong credentials', async () => {
  const elsewhere = SUBSCRIBERS.ensure(configuration(), 'http://127.0.0.1:9/webhooks');
  await expect(elsewhere).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(SUBSCRIBERS.ensure(configuration(), 'ftp://x')).rejects.toMatchObject({ code: 'invalid_request' });
  const wrong = SUBSCRIBERS.list(configuration({ clientSecret: 'wrong' }));
  await expect(wrong).rejects.toMatchObject({ code: 'operator', status: 401 });
  expect(SUBSCRIBERS.manageable(configuration())).toBe(true);
  expect(SUBSCRIBERS.manageable(configuration({ clientSecret: undefined }))).toBe(false);
});
