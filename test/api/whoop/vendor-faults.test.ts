import type { VendorFault } from '@healthd/simulators';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ConnectedUser, openWhoopFixture, type WhoopFixture } from './whoop-fixture.js';

let fixture: WhoopFixture;
let ada: ConnectedUser;
beforeEach(async () => {
  fixture = await openWhoopFixture();
  await fixture.control.addAccount({ id: 'ada' });
  await fixture.control.seedHistory('ada', { days: 40, seed: 2 });
  ada = await fixture.connect('ada');
});
afterEach(() => fixture.close());

it('delays the run until X-RateLimit-Reset after a 429', async () => {
  const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '120' };
  await fixture.control.addFault({ kind: 'error', status: 429, headers, path: '/v2/recovery', times: null });
  await fixture.reading.settle();
  expect(await fixture.lastRun(ada)).toMatchObject({ status: 'in_progress' });
  await fixture.control.clearFaults();
  await fixture.control.clearRequests();
  await fixture.wait(100);
  await fixture.reading.settle();
  expect(await fixture.control.requests('/v2/')).toEqual([]);
  await fixture.wait(60);
  await fixture.reading.settle();
  expect(await fixture.lastRun(ada)).toMatchObject({ status: 'success' });
});

it.each<[string, VendorFault]>([
  ['500', { kind: 'error', status: 500 }],
  ['a page of HTML', { kind: 'bad_gateway' }],
  ['a truncated response', { kind: 'truncated' }],
  ['a cut connection', { kind: 'dropped' }],
])('stores the other collections, then retries the failing collection: %s', async (_, fault) => {
  await fixture.control.addFault({ ...fault, path: '/v2/activity/workout', times: null });
  await fixture.reading.settle();
  const cursors = await fixture.reading.cursorsOf(ada.connectionId);
  expect(cursors.workout).toBeUndefined();
  expect(cursors.sleep).toBeDefined();
  await fixture.control.clearFaults();
  await fixture.wait(60);
  await fixture.reading.settle();
  expect(await fixture.lastRun(ada)).toMatchObject({ status: 'success' });
  expect((await fixture.reading.cursorsOf(ada.connectionId)).workout).toBeDefined();
});

it.each([429, 500])('keeps the connection after a 401 if the profile request returns %i', async (status) => {
  await fixture.control.addFault({ kind: 'error', status: 401, path: '/v2/activity/workout', times: null });
  await fixture.control.addFault({ kind: 'error', status, path: '/v2/user/profile', times: null });
  await fixture.reading.settle();
  expect(await fixture.lastRun(ada)).toMatchObject({ status: 'in_progress' });
  expect(await fixture.connection(ada)).toMatchObject({ status: 'active' });
  await fixture.control.clearFaults();
  await fixture.wait(120);
  await fixture.reading.settle();
  expect(await fixture.lastRun(ada)).toMatchObject({ status: 'success' });
});

it.each([403, 404])('reads the other collections if a collection responds with %i', async (status) => {
  await fixture.control.addFault({ kind: 'error', status, path: '/v2/activity/workout', times: null });
  await fixture.reading.settle();
  const run = await fixture.lastRun(ada);
  expect(run?.metadata.data_types).toMatchObject({ sleep: { status: 'success' } });
  expect(run?.metadata.data_types.workout.status).not.toBe('success');
  expect((await fixture.reading.cursorsOf(ada.connectionId)).workout).toBeUndefined();
  expect(await fixture.connection(ada)).toMatchObject({ status: 'active' });
});

describe('a second page that fails', () => {
  it('leads to a retry that stores all nights', async () => {
    await fixture.reading.settle();
    const path = `/api/v1/providers/whoop/users/${ada.userId}/sync/historical?days=90`;
    await fixture.control.addFault({ kind: 'error', status: 500, path: 'nextToken', times: null });
    await fixture.call('POST', path);
    await fixture.reading.settle();
    expect(await fixture.lastRun(ada)).toMatchObject({ status: 'in_progress' });
    await fixture.control.clearFaults();
    await fixture.wait(60);
    await fixture.reading.settle();
    expect(await fixture.lastRun(ada)).toMatchObject({ source: 'backfill', status: 'success' });
    const { sleeps } = await fixture.control.truth('ada');
    expect((await fixture.nights(ada.userKey)).map(({ external_id }) => external_id)).toEqual(
      sleeps.map(({ id }) => id),
    );
  });
});

it('completes an aborted sync in a later sync without duplicates', async () => {
  const dying = new AbortController();
  await fixture.control.addFault({ kind: 'dropped', path: '/v2/activity/workout', times: 1 });
  const work = fixture.reading.work(ada.connectionId, dying.signal).catch(() => undefined);
  await expect.poll(async () => (await fixture.nights(ada.userKey)).length, { interval: 20 }).toBeGreaterThan(0);
  dying.abort(new Error('killed'));
  await work;
  await fixture.wait(3_600);
  await fixture.call('POST', `/api/v1/providers/whoop/users/${ada.userId}/sync/historical?days=90`);
  await fixture.reading.settle();
  const { sleeps, recoveries } = await fixture.control.truth('ada');
  expect((await fixture.nights(ada.userKey)).map(({ external_id }) => external_id)).toEqual(sleeps.map(({ id }) => id));
  expect(await fixture.samples(ada.userKey, 'resting_heart_rate')).toHaveLength(recoveries.length);
  const stored = await fixture.everything(ada.userKey);
  await fixture.pull(ada);
  expect(await fixture.everything(ada.userKey)).toEqual(stored);
});
