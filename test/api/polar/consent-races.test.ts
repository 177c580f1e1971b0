import { type PolarSimulator, startPolarSimulator } from '@healthd/simulators';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ConnectedUser, openVendorFixture, type VendorFixture } from '../../support/vendor-fixture.js';

const ACCOUNT = '60417735';
const LOOK = { interval: 10, timeout: 10_000 };

let fixture: VendorFixture<PolarSimulator>;
beforeEach(async () => {
  fixture = await openVendorFixture('polar', await startPolarSimulator({ autoConsent: true }));
  await fixture.control.addAccount({ id: 'ada', userId: ACCOUNT, timeZone: 'UTC' });
});
afterEach(() => fixture.close());

const newUser = async (): Promise<string> => (await fixture.call('POST', '/api/v1/users', {})).body.id;
const disconnect = (userId: string) => fixture.call('DELETE', `/api/v1/users/${userId}/connections/polar`);
const requests = async (method: string) =>
  (await fixture.control.requests('/v3/users')).filter((one) => one.method === method && !one.path.endsWith('info'));
const statusOf = async (userId: string) =>
  (await fixture.call('GET', `/api/v1/users/${userId}/connections`)).body.map(
    (one: { status: string; status_reason: string | null }) => `${one.status} ${one.status_reason}`,
  );

/** Sends a user's browser to the vendor and back. @returns the response of the callback */
async function consent(userId: string): Promise<Response> {
  const authorized = await fixture.call('GET', `/api/v1/oauth/polar/authorize?user_id=${userId}`);
  const page = new URL(authorized.body.authorization_url);
  page.searchParams.set('login_hint', 'ada');
  const consented = await fetch(page, { redirect: 'manual' });
  const { pathname, search } = new URL(consented.headers.get('location') ?? '');
  return fetch(`${fixture.service.url}${pathname}${search}`, { redirect: 'manual' });
}

/** Counts the service's statements that wait for a lock. */
async function waitingForLocks(): Promise<number> {
  const { rows } = await fixture.pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.n ?? 0;
}

async function usable({ userId, userKey, connectionId }: ConnectedUser): Promise<void> {
  expect(await statusOf(userId)).toEqual(['active null']);
  expect(await fixture.pull({ userId, userKey, connectionId })).toMatchObject({ status: 'success' });
}

it.each([
  ['before Polar returned the account', 'POST', '/v3/users?', []],
  ['before it is stored', 'GET', `/v3/users/${ACCOUNT}`, ['revoked refresh_failed']],
])("creates no active connection if the consent's tokens are revoked %s", async (_, method, path, expected) => {
  const first = await fixture.connect('ada');
  await fixture.reading.settle();
  const second = await newUser();
  const before = (await requests(method)).length;
  // The service already has the second user's tokens. It registers the account again, then reads the registration.
  await fixture.control.addFault({ kind: 'held', path });
  const consented = consent(second);
  await expect.poll(async () => (await requests(method)).length, LOOK).toBe(before + 1);
  await disconnect(first.userId);
  expect(await requests('DELETE')).toHaveLength(1);
  await fixture.control.releaseAnswers();
  const response = await consented;
  expect(response.status).toBe(409);
  expect(await statusOf(second)).toEqual(expected);
  await fixture.connect('ada', second);
  expect(await statusOf(second)).toEqual(['active null']);
});

it("gives working tokens to a consent during another user's deregistration", async () => {
  const first = await fixture.connect('ada');
  await fixture.reading.settle();
  await fixture.control.addFault({ kind: 'held', path: `/v3/users/${ACCOUNT}` });
  const left = disconnect(first.userId);
  await expect.poll(async () => (await requests('DELETE')).length, LOOK).toBe(1);
  const connecting = fixture.connect('ada');
  await expect.poll(waitingForLocks, LOOK).toBe(1);
  await fixture.control.releaseAnswers();
  expect((await left).status).toBe(204);
  await usable(await connecting);
});

it("keeps a registration while another user's consent is being stored", async () => {
  const second = await fixture.connect('ada');
  await fixture.reading.settle();
  await disconnect(second.userId);
  const first = await fixture.connect('ada');
  await fixture.reading.settle();
  const ended = (await requests('DELETE')).length;
  const holder = await fixture.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select from connection where id = $1 for update', [second.connectionId]);
    const connecting = fixture.connect('ada', second.userId);
    await expect.poll(waitingForLocks, LOOK).toBe(1);
    const left = disconnect(first.userId);
    await expect.poll(waitingForLocks, LOOK).toBe(2);
    await holder.query('commit');
    expect((await left).status).toBe(204);
    await usable(await connecting);
  } finally {
    holder.release();
  }
  expect(await requests('DELETE')).toHaveLength(ended);
});
