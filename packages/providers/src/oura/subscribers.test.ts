import { MS_PER_DAY, SECONDS_PER_DAY } from '@healthd/model';
import { type OuraSimulator, startOuraSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ProviderConfiguration } from '../cloud/index.js';
import { openChallengedReceiver } from '../testing/challenged-receiver.js';
import { NOTIFIED_TYPES } from './notified-types.js';
import { OURA_SUBSCRIBERS as SUBSCRIBERS } from './subscribers.js';
import { OURA_WEBHOOK } from './webhook.js';

const ALL = NOTIFIED_TYPES.length * 3;
let simulator: OuraSimulator;
let receiver: Awaited<ReturnType<typeof openChallengedReceiver>>;
let endpoint: string;
beforeAll(async () => {
  simulator = await startOuraSimulator();
  receiver = await openChallengedReceiver(OURA_WEBHOOK, configuration);
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

async function statuses(outcomes: Promise<readonly { status: string }[]>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status } of await outcomes) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

it('creates exactly one verified subscription per type and change', async () => {
  expect(await statuses(SUBSCRIBERS.ensure(configuration(), endpoint))).toEqual({ created: ALL });
  expect(await statuses(SUBSCRIBERS.ensure(configuration(), endpoint))).toEqual({ skipped: ALL });
  const listed = await SUBSCRIBERS.list(configuration());
  expect(listed).toHaveLength(ALL);
  expect(listed[0]).toMatchObject({ endpoint, endsAtMs: expect.any(Number) });
});

it('renews subscriptions before and after their end', async () => {
  await SUBSCRIBERS.ensure(configuration(), endpoint);
  const ends = async () => (await simulator.control.subscriptions()).map(({ expiration_time }) => expiration_time);
  const before = await ends();
  // The simulator's clock is moved back, so that its subscriptions look old.
  await simulator.control.advanceClock(-70 * SECONDS_PER_DAY);
  expect(await statuses(SUBSCRIBERS.renew?.(configuration()) ?? Promise.resolve([]))).toEqual({ updated: ALL });
  const after = await ends();
  expect(Date.parse(before[0]!) - Date.parse(after[0]!)).toBeGreaterThan(60 * MS_PER_DAY);
  await simulator.control.advanceClock(70 * SECONDS_PER_DAY);
  expect(await statuses(SUBSCRIBERS.ensure(configuration(), endpoint))).toEqual({ updated: ALL });
  await simulator.control.advanceClock(100 * SECONDS_PER_DAY);
  expect(await statuses(SUBSCRIBERS.ensure(configuration(), endpoint))).toEqual({ created: ALL });
});

it('moves all subscriptions to another URL', async () => {
  await SUBSCRIBERS.ensure(configuration(), `${endpoint}/old`);
  expect(await statuses(SUBSCRIBERS.ensure(configuration(), endpoint))).toEqual({ updated: ALL });
  expect(new Set((await SUBSCRIBERS.list(configuration())).map((one) => one.endpoint))).toEqual(new Set([endpoint]));
});

it('rejects updates, but not removals, of a missing subscription', async () => {
  await SUBSCRIBERS.ensure(configuration(), endpoint);
  const [first] = await SUBSCRIBERS.list(configuration());
  expect(await SUBSCRIBERS.update(configuration(), first!.id, `${endpoint}/new`)).toMatchObject({ status: 'updated' });
  expect(await SUBSCRIBERS.remove(configuration(), first!.id)).toEqual({ id: first!.id, status: 'deleted' });
  expect(await SUBSCRIBERS.remove(configuration(), first!.id)).toEqual({ id: first!.id, status: 'deleted' });
  await expect(SUBSCRIBERS.update(configuration(), first!.id, endpoint)).rejects.toMatchObject({ code: 'not_found' });
  expect(await SUBSCRIBERS.list(configuration())).toHaveLength(ALL - 1);
});

it("deletes only this deployment's subscriptions", async () => {
  await SUBSCRIBERS.ensure(configuration(), endpoint);
  const [first] = await SUBSCRIBERS.list(configuration());
  await SUBSCRIBERS.update(configuration(), first!.id, `${endpoint}/other`);
  expect(await statuses(SUBSCRIBERS.removeOwn(configuration(), endpoint))).toEqual({ deleted: ALL - 1 });
  expect(await SUBSCRIBERS.list(configuration())).toHaveLength(1);
});

it('rejects a URL that fails the challenge, and wrong credentials', async () => {
  const elsewhere = SUBSCRIBERS.ensure(configuration(), 'http://127.0.0.1:9/webhooks');
  await expect(elsewhere).rejects.toMatchObject({ code: 'invalid_request' });
  const wrong = SUBSCRIBERS.list(configuration({ clientSecret: 'wrong' }));
  await expect(wrong).rejects.toMatchObject({ code: 'operator', status: 401 });
  await expect(SUBSCRIBERS.ensure(configuration(), 'ftp://x')).rejects.toMatchObject({ code: 'invalid_request' });
  expect(SUBSCRIBERS.manageable(configuration())).toBe(true);
  expect(SUBSCRIBERS.manageable(configuration({ clientSecret: undefined }))).toBe(false);
});
