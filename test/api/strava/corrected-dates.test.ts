import { MS_PER_HOUR } from '@healthd/model';
import { type StravaActivity, type StravaSimulator, startStravaSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ConnectedUser, openVendorFixture, type VendorFixture } from '../../support/vendor-fixture.js';

const NOW_MS = Date.now();
const LATELY = 5;
const WEEKS_AGO = 20 * 24;
let fixture: VendorFixture<StravaSimulator>;
let ada: ConnectedUser;
/** Ada's account number, different in each test. */
let athlete = 30_211_177;
beforeAll(async () => {
  fixture = await openVendorFixture('strava', await startStravaSimulator({ autoConsent: true }), {
    values: { READ_STREAMS: 'true' },
  });
});
afterAll(() => fixture.close());
beforeEach(async () => {
  athlete++;
  await fixture.control.reset();
  await fixture.control.addAccount({ id: 'ada', userId: String(athlete), timeZone: 'UTC' });
  ada = await fixture.connect('ada');
  await fixture.reading.settle();
});

const startOf = (hoursAgo: number) => `${new Date(NOW_MS - hoursAgo * MS_PER_HOUR).toISOString().slice(0, 19)}Z`;
const run = (hoursAgo: number, change: Partial<StravaActivity> = {}): StravaActivity => ({
  id: 14_500_000_001,
  name: 'Evening Run',
  sport_type: 'Run',
  start_date: startOf(hoursAgo),
  utc_offset: 0,
  elapsed_time: 3_600,
  device_name: 'Garmin Forerunner 265',
  ...change,
});
const streams = { 14500000001: { time: [0, 60], heartrate: [120, 140] } };
const put = (activity: StravaActivity) =>
  fixture.control.put('ada', { activities: [activity], streams }, { notify: false });

async function workouts() {
  const { rows } = await fixture.pool.query<{ id: string; start_at: Date }>(
    'select id, start_at from workout where user_key = $1',
    [ada.userKey],
  );
  return rows.map(({ id, start_at }) => ({ id, at: start_at.toISOString().replace('.000', '') }));
}

const readings = async () =>
  (await fixture.samples(ada.userKey, 'heart_rate')).map(({ atMs }) => new Date(atMs).toISOString().slice(0, 16));

/** Stores the original run. */
async function storedAt(hoursAgo: number) {
  await put(run(hoursAgo));
  await fixture.call('POST', `/api/v1/providers/strava/users/${ada.userId}/sync/historical?days=60`);
  await fixture.reading.settle();
  const [first] = await workouts();
  expect(first).toMatchObject({ at: startOf(hoursAgo) });
  return first?.id;
}

it.each([
  ['', {}],
  [', whose device name changed too,', { device_name: 'Forerunner' }],
])('moves an activity%s with its readings to a corrected date', async (_, change) => {
  const id = await storedAt(WEEKS_AGO);
  await put(run(LATELY, change));
  await fixture.pull(ada);
  expect(await workouts()).toEqual([{ id, at: startOf(LATELY) }]);
  const minute = startOf(LATELY).slice(0, 16);
  expect(await readings()).toEqual([minute, expect.any(String)]);
  expect(await fixture.reading.waiting()).toEqual([]);
});

it('stores a moved activity at its new date', async () => {
  await storedAt(LATELY);
  await put(run(WEEKS_AGO));
  await fixture.pull(ada);
  expect(await workouts()).toMatchObject([{ at: startOf(WEEKS_AGO) }]);
  expect(await readings()).toHaveLength(2);
});

it('stores an activity once when its name and date change', async () => {
  await storedAt(LATELY);
  await put(run(WEEKS_AGO, { name: 'Long ago' }));
  const { cloud, configuration } = fixture.reading.connections.configurationOf('strava') ?? {};
  if (!configuration) throw new Error('strava is not configured');
  await cloud?.subscribers?.ensure(configuration, `${fixture.service.url}/api/v1/providers/strava/webhooks`);
  const event = {
    object_type: 'activity',
    object_id: 14_500_000_001,
    aspect_type: 'update',
    updates: { title: 'Long ago' },
    owner_id: athlete,
    subscription_id: 120_475,
    event_time: Math.floor(NOW_MS / 1_000),
  };
  expect(await fixture.control.sendEvent(event)).toBe(200);
  await fixture.reading.settle();
  expect(await workouts()).toMatchObject([{ at: startOf(WEEKS_AGO) }]);
});

it('needs one request to detect an activity deleted without an event', async () => {
  await storedAt(LATELY);
  await fixture.control.remove('ada', 14_500_000_001, { notify: false });
  await fixture.control.clearRequests();
  await fixture.pull(ada);
  expect(await workouts()).toEqual([]);
  expect(await readings()).toEqual([]);
  const requests = await fixture.control.requests('/activities/14500000001');
  expect(requests.map(({ status }) => status)).toEqual([404]);
});
