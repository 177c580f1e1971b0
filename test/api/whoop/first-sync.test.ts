import { schedulePulls } from '@healthd/daemon/ingest/pull';
import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { afterEach, expect, it } from 'vitest';
import { type ConnectedUser, openWhoopFixture, type WhoopFixture, type WhoopFixtureOptions } from './whoop-fixture.js';

const REPORTED = '3f0c1a52-2b9e-4b6e-8f0b-8f2d1f6b9c11';
const UNREPORTED = '5d6f1a52-2b9e-4b6e-8f0b-8f2d1f6b9c12';

let fixture: WhoopFixture;
afterEach(() => fixture.close());

async function open(options: WhoopFixtureOptions = {}) {
  fixture = await openWhoopFixture(options);
  await fixture.control.addAccount({ id: 'ada' });
  await fixture.control.seedHistory('ada', { days: 100, seed: 3 });
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const WIDE = `start_date=${dayOf(Date.now() - 120 * MS_PER_DAY)}&end_date=${dayOf(Date.now() + 2 * MS_PER_DAY)}&limit=100`;
const recoveries = async ({ userId }: ConnectedUser) =>
  fixture.call('GET', `/api/v1/users/${userId}/summaries/recovery?${WIDE}`);
/** Returns the age in days of the oldest stored night. The vendor has a hundred days of nights. */
async function daysStored({ userKey }: ConnectedUser): Promise<number> {
  const [oldest] = await fixture.nights(userKey);
  return (Date.now() - oldest.start_at.getTime()) / MS_PER_DAY;
}
const pages = async () => (await fixture.control.requests('/v2/activity/sleep')).length;

it('shows a new connection as unsynced until its history is read', async () => {
  await open({ historicalSyncOnConnect: true });
  const ada = await fixture.connect('ada');
  expect(await fixture.connection(ada)).toMatchObject({ status: 'active', last_synced_at: null });
  expect(await recoveries(ada)).toMatchObject({ status: 200, body: { data: [], pagination: { has_more: false } } });
  await fixture.reading.settle();
  expect(await fixture.connection(ada)).toMatchObject({ last_synced_at: expect.any(String) });
  const { data } = (await recoveries(ada)).body;
  expect(data.length).toBeGreaterThan(80);
  expect(data.length).toBeLessThanOrEqual(92);
  for (const { recovery_score: score } of data) {
    if (score !== null) expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
  }
});

it('reads 90 days of history only after the first consent', async () => {
  await open({ historicalSyncOnConnect: true });
  const ada = await fixture.connect('ada');
  await fixture.reading.settle();
  expect(await daysStored(ada)).toBeGreaterThan(88);
  expect(await daysStored(ada)).toBeLessThan(92);
  const pagesOfPast = await pages();
  expect((await fixture.call('DELETE', `/api/v1/users/${ada.userId}/connections/whoop`)).status).toBe(204);
  await fixture.control.clearRequests();
  await fixture.connect('ada', ada.userId);
  await fixture.reading.settle();
  expect(await fixture.lastRun(ada)).toMatchObject({ source: 'pull', status: 'success' });
  expect(await pages()).toBeGreaterThan(0);
  expect(await pages()).toBeLessThan(pagesOfPast / 3);
});

it('reads up to 90 days on request without HISTORICAL_SYNC_ON_CONNECT', async () => {
  await open({ historicalSyncOnConnect: false });
  const ada = await fixture.connect('ada');
  await fixture.reading.settle();
  expect(await daysStored(ada)).toBeLessThan(10);
  const path = `/api/v1/providers/whoop/users/${ada.userId}/sync/historical?days=365`;
  expect(await fixture.call('POST', path)).toMatchObject({
    status: 200,
    body: { success: true, provider: 'whoop', method: 'pull_api', days: 90 },
  });
  await fixture.reading.settle();
  expect(await daysStored(ada)).toBeGreaterThan(88);
  expect(await daysStored(ada)).toBeLessThan(92);
  expect(await fixture.lastRun(ada)).toMatchObject({ source: 'backfill', status: 'success' });
});

it('polls a webhook user again once the mode is pull', async () => {
  await open();
  const ada = await fixture.connect('ada');
  await fixture.reading.settle();
  const { uses } = fixture.reading.connections;
  const polled = async () => {
    await fixture.control.clearRequests();
    await fixture.wait(2 * (MS_PER_HOUR / 1_000));
    await fixture.reading.connections.markNotified([ada.connectionId], new Date(Date.now() + MS_PER_DAY));
    await schedulePulls(fixture.reading.services, ['whoop'], new AbortController().signal);
    await fixture.wait(MS_PER_HOUR / 1_000);
    await fixture.reading.settle();
    return (await fixture.control.requests('/v2/activity/workout')).length;
  };
  await uses.change('whoop', { liveSyncMode: 'webhook' });
  await uses.setSubscriberState('whoop', 'active');
  expect(await polled()).toBe(0);
  await uses.change('whoop', { liveSyncMode: 'pull' });
  expect(await polled()).toBeGreaterThan(0);
});

it('applies PULL_SYNC_LOOKBACK to pulls, not to reads after events', async () => {
  await open({ settings: { pullSyncLookbackMs: 30 * MS_PER_DAY } });
  const ada = await fixture.connect('ada');
  await fixture.reading.settle();
  const url = `${fixture.service.url}/api/v1/providers/whoop/webhooks`;
  await fixture.control.setWebhook({ url, deliveries: 'held' });
  const hours = (n: number) => new Date(Date.now() - n * MS_PER_HOUR).toISOString();
  const workout = (id: string, hoursAgo: number) => ({
    id,
    start: hours(hoursAgo),
    end: hours(hoursAgo - 1),
    sport_name: 'running',
  });
  const late = async () => {
    const { rows } = await fixture.pool.query(
      'select external_id as id from workout where user_key = $1 and external_id = any ($2::text[])',
      [ada.userKey, [REPORTED, UNREPORTED]],
    );
    return new Set(rows.map(({ id }) => id));
  };
  await fixture.control.put('ada', { workouts: [workout(UNREPORTED, 20 * 24)] }, { notify: false });
  await fixture.control.put('ada', { workouts: [workout(REPORTED, 5)] });
  expect((await fixture.control.flushDeliveries()).map(({ status }) => status)).toEqual([204]);
  await fixture.reading.settle();
  expect(await late()).toEqual(new Set([REPORTED]));
  await fixture.pull(ada);
  expect(await late()).toEqual(new Set([REPORTED, UNREPORTED]));
});
