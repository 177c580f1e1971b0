import { windowsOf } from '@healthd/daemon/connections';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWhoopFixture, type WhoopFixture, type WhoopFixtureOptions } from './whoop-fixture.js';

let fixture: WhoopFixture;
let userId: string;
beforeEach(() => open());
afterEach(() => fixture.close());

async function open(options: WhoopFixtureOptions = {}) {
  fixture = await openWhoopFixture(options);
  await fixture.control.addAccount({ id: 'ada', timeZone: 'Europe/Warsaw' });
  await fixture.control.seedHistory('ada', { seed: 4, days: 60 });
  userId = (await fixture.connect('ada')).userId;
}
async function reopen(options: WhoopFixtureOptions) {
  await fixture.close();
  await open(options);
}

const get = (path = '', user = userId, provider = 'whoop') =>
  fixture.call('GET', `/api/v1/providers/${provider}/users/${user}/workouts${path}`);
const stored = async () => {
  const { rows } = await fixture.pool.query('select count(*)::int as count from workout');
  return rows[0].count;
};

it("returns pages of workouts in the vendor's format without storing them", async () => {
  const before = await stored();
  const truth = await fixture.control.truth('ada');
  const seen: string[] = [];
  let token: string | undefined;
  do {
    const query = token === undefined ? '?limit=100' : `?limit=100&page_token=${encodeURIComponent(token)}`;
    const { status, body } = await get(query);
    expect(status).toBe(200);
    expect(body.records.length).toBeLessThanOrEqual(25);
    for (const record of body.records) {
      expect(record).toMatchObject({ sport_name: expect.any(String), timezone_offset: expect.any(String) });
      seen.push(record.id);
    }
    token = body.next_token ?? undefined;
  } while (token !== undefined);
  expect(seen.toSorted()).toEqual(truth.workouts.map(({ id }) => id).toSorted());
  expect(seen.length).toBeGreaterThan(25);

  const { records } = (await get('?limit=3')).body;
  expect(records).toHaveLength(3);
  expect((await get(`/${records[1].id}`)).body).toEqual(records[1]);
  expect(await stored()).toBe(before);
});

it('filters workouts by start time', async () => {
  const [first, second] = (await get('?limit=2')).body.records;
  const since = Math.floor(Date.parse(second.end) / 1_000) + 60;
  expect((await get(`?since=${since}`)).body.records.map(({ id }: { id: string }) => id)).toEqual([first.id]);
});

it('returns 404 for an unknown workout and for a path as ID', async () => {
  expect(await get('/9a1f7f7a-8d70-4c3f-9b0e-0c5a3d9f1e20')).toMatchObject({ status: 404 });
  expect((await get('/..%2F..%2Fuser%2Fprofile%2Fbasic')).status).toBe(404);
});

it('returns 404 without a connection', async () => {
  const other = (await fixture.call('POST', '/api/v1/users', {})).body.id;
  expect(await get('', other)).toMatchObject({ status: 404, body: { detail: 'User not connected to whoop' } });
});

it('returns 501 for vendors without workouts', async () => {
  expect(await get('', userId, 'apple')).toMatchObject({ status: 501 });
});

it('renews an expired token until its grant is revoked', async () => {
  await fixture.control.expireAccessTokens('ada');
  expect((await get('?limit=1')).status).toBe(200);
  await fixture.control.revokeGrants('ada');
  for (const _ of [1, 2]) {
    expect(await get('?limit=1')).toMatchObject({
      status: 409,
      body: { detail: 'whoop authorization expired. Please re-authorize.' },
    });
  }
});

it('responds 409 without a request if workouts are not granted', async () => {
  await fixture.control.addAccount({ id: 'eve' });
  await fixture.control.setConsent({ scopes: ['offline', 'read:profile', 'read:sleep'] });
  const eve = await fixture.connect('eve');
  await fixture.control.clearRequests();
  expect(await get('', eve.userId)).toMatchObject({ status: 409 });
  expect(await fixture.control.requests()).toEqual([]);
});

it('responds 503 while the vendor fails', async () => {
  await fixture.control.addFault({ kind: 'error', status: 503, path: '/v2/activity/workout', times: null });
  const response = await get();
  expect(response).toMatchObject({ status: 503 });
});

it('responds 503 with a retry time once the quota is used up', async () => {
  await reopen({ quotas: { perUserAndMinute: 1_000, perApplicationAndMinute: 1_000, perApplicationAndDay: 100 } });
  const statuses: number[] = [];
  for (let count = 0; count < 12; count++) statuses.push((await get('?limit=1')).status);
  expect(statuses).toContain(200);
  expect(statuses.at(-1)).toBe(503);
  await fixture.control.clearRequests();
  const response = await get('?limit=1');
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(10);
  expect(await fixture.control.requests()).toEqual([]);
});

it('leaves quota for syncs and webhooks when workout requests exhaust their share', async () => {
  const quotas = { perUserAndMinute: 1_000, perApplicationAndMinute: 1_000, perApplicationAndDay: 100 };
  await reopen({ quotas });
  for (let count = 0; count < 12; count++) await get('?limit=1');
  expect((await get('?limit=1')).status).toBe(503);
  const { budgets } = fixture.reading.connections;
  for (const priority of ['webhook', 'first_sync', 'manual'] as const) {
    expect((await budgets.application('whoop', windowsOf(quotas), priority).take(0)).waitMs, priority).toBe(0);
  }
});
