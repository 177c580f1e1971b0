import { authorizeProvider, createUser } from '@healthd/contract';
import {
  type GarminSimulator,
  type GoogleSimulator,
  startGarminSimulator,
  startGoogleSimulator,
} from '@healthd/simulators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDatabase } from '../support/daemon.js';
import {
  type Cost,
  isLong,
  type MeasuredDaemon,
  startMeasuredDaemon,
  withoutPauses,
} from '../support/measured-daemon.js';
import { ampleVendorSettings, garminSettings } from '../support/simulated-vendor.js';

/** Allowance for the cost of little data and for measurement noise. */
const FLOOR_MS = 80;
const DATABASE_FLOOR_MS = 250;
/** Maximum growth of the cost for ten times the data. n log n grows 13.3 times from 1,000 to 10,000. */
const MOST_GROWTH = 14;
const COUNTS = [1_000, 10_000];
const HOUR = 3_600;
/** Midnight UTC some days ago, in seconds. */
const midnight = (Math.floor(Date.now() / 86_400_000) - 3) * 86_400;

let garmin: GarminSimulator;
let google: GoogleSimulator;
let daemon: MeasuredDaemon;
let users = 0;
beforeAll(async () => {
  garmin = await startGarminSimulator({ autoConsent: true });
  google = await startGoogleSimulator({ autoConsent: true });
  daemon = await startMeasuredDaemon({
    ...garminSettings(garmin),
    ...ampleVendorSettings(google),
    HISTORICAL_SYNC_ON_CONNECT: 'false',
  });
  await garmin.control.setPushTarget({ url: `${daemon.url}/api/v1/providers/garmin/webhooks`, deliveries: 'held' });
}, 120_000);
afterAll(async () => {
  await daemon?.stop();
  await garmin?.close();
  await google?.close();
});

type Item = Record<string, unknown>;
/** Returns the time members of a Garmin summary, in UTC. */
const placed = (startSeconds: number, durationInSeconds: number) => ({
  calendarDate: new Date((startSeconds + durationInSeconds) * 1_000).toISOString().slice(0, 10),
  startTimeInSeconds: startSeconds,
  startTimeOffsetInSeconds: 0,
  durationInSeconds,
});
const sleep = (index: number, startSeconds: number, seconds: number): Item => ({
  summaryId: `sleep ${index}`,
  ...placed(startSeconds, seconds),
  lightSleepDurationInSeconds: seconds,
  validation: index % 2 === 0 ? 'AUTO_TENTATIVE' : 'AUTO_FINAL',
  sleepLevelsMap: { light: [{ startTimeInSeconds: startSeconds, endTimeInSeconds: startSeconds + seconds }] },
});

const walk = { summaryId: 'walk', activityType: 'WALKING' };

const DELIVERIES: { name: string; type: string; itemOf: (index: number) => Item }[] = [
  { name: 'versions of one night', type: 'sleeps', itemOf: (index) => sleep(index, midnight, 8 * HOUR) },
  {
    name: 'nested nights',
    type: 'sleeps',
    itemOf: (index) => sleep(index, midnight + index, 30_000 - 2 * index),
  },
  { name: 'short sleeps of one day', type: 'sleeps', itemOf: (index) => sleep(index, midnight + 4 * index, 4) },
  {
    name: 'versions of one workout',
    type: 'activities',
    itemOf: (index) => ({ ...walk, activityId: 1, ...placed(midnight, 600 + index) }),
  },
  {
    name: 'workouts with one start time',
    type: 'activities',
    itemOf: (index) => ({ ...walk, activityId: index + 1, ...placed(midnight, 600) }),
  },
  {
    name: 'versions of one day',
    type: 'dailies',
    itemOf: (index) => ({ summaryId: `day ${index}`, ...placed(midnight, 86_400), steps: index }),
  },
  {
    name: 'versions of one quarter hour',
    type: 'epochs',
    itemOf: (index) => ({ summaryId: `epoch ${index}`, ...placed(midnight, 900), steps: index }),
  },
];

test.each(DELIVERIES)('reads a Garmin delivery in n log n time: $name', async ({ type, itemOf }) => {
  await expectBounded(async (count) => {
    const { account } = await connected('garmin');
    const items = Array.from({ length: count }, (_, index) => ({ userId: account, ...itemOf(index) }));
    return daemon.costOf(async () => {
      expect(await garmin.control.sendBody(JSON.stringify({ [type]: items }))).toBe(200);
      await expect.poll(openDeliveries, { interval: 200 }).toBe(0);
    });
  });
});

const recent = Math.floor(Date.now() / 1_000) - 20 * HOUR;

test("reads a Garmin activity's FIT file in n log n time", async () => {
  await expectBounded(async (count) => {
    const { user } = await connected('garmin');
    const name = `person-${users}`;
    await garmin.control.setForms(name, { announcesFiles: true });
    const samples = Array.from({ length: count }, (_, second) => ({
      startTimeInSeconds: recent + second,
      heartRate: 60 + (second % 90),
      powerInWatts: 200,
    }));
    const details = { summaryId: 'file', activityId: 1, summary: { startTimeInSeconds: recent }, samples };
    await garmin.control.put(name, { activityDetails: [details] });
    return daemon.costOf(async () => {
      await garmin.control.flushPushes();
      // A heart rate and a power of each second.
      await expect.poll(() => samplesOf(user), { interval: 200, timeout: 60_000 }).toBe(2 * count);
      await expect.poll(openDeliveries, { interval: 200 }).toBe(0);
    });
  });
});

const at = (seconds: number) => new Date((recent + seconds) * 1_000).toISOString();
const PULLS: { name: string; pointOf: (index: number) => object; stored: (count: number) => number }[] = [
  {
    name: 'readings of one instant',
    pointOf: (index) => ({ dataType: 'heart-rate', startTime: at(0), endTime: at(0), value: 50 + (index % 90) }),
    // Without an ID, a vendor's reading is identified by its time, so one reading is stored.
    stored: () => 1,
  },
  {
    name: 'nested step intervals',
    pointOf: (index) => ({ dataType: 'steps', startTime: at(index), endTime: at(40_000 - index), value: 9 }),
    stored: (count) => count,
  },
];

test.each(PULLS)('reads Google data in n log n time: $name', async ({ pointOf, stored }) => {
  await expectBounded(async (count) => {
    const { account, user } = await connected('google');
    const points = Array.from({ length: count }, (_, index) => pointOf(index));
    await google.control.addPoints(account, points as never, { notify: false });
    const cost = await daemon.costOf(async () => {
      const path = `${daemon.url}/api/v1/providers/google/users/${user}/sync?async=false&since=${recent - HOUR}`;
      const response = await fetch(path, { method: 'POST', headers: { 'X-Service-API-Key': daemon.apiKey } });
      expect(response.status).toBe(200);
    });
    expect(await samplesOf(user)).toBe(stored(count));
    return cost;
  });
});

const samplesOf = (user: string) =>
  inDatabase(daemon.home, async (pool) => {
    const { rows } = await pool.query(
      'select count(*)::int as stored from sample join health_user u using (user_key) where u.id = $1',
      [user],
    );
    return rows[0].stored as number;
  });

/** Fails unless the event loop's turns stay short and the cost grows by n log n at most. */
async function expectBounded(costOfCount: (count: number) => Promise<Cost>): Promise<void> {
  const costs: Cost[] = [];
  for (const count of COUNTS) costs.push(...(await withoutPauses(async () => [await costOfCount(count)])));
  console.info(JSON.stringify(costs));
  expect(costs.filter(isLong)).toEqual([]);
  const [few, many] = costs;
  expect(many?.ms).toBeLessThan(MOST_GROWTH * Math.max(FLOOR_MS, few?.ms ?? 0));
  expect(many?.ofDatabaseMs).toBeLessThan(MOST_GROWTH * Math.max(DATABASE_FLOOR_MS, few?.ofDatabaseMs ?? 0));
}

async function connected(provider: 'garmin' | 'google'): Promise<{ account: string; user: string }> {
  const name = `person-${++users}`;
  const added =
    provider === 'garmin'
      ? await garmin.control.addAccount({ id: name, userId: `user-${name}` })
      : await google.control.addAccount({ id: name });
  const account = 'userId' in added ? (added.userId as string) : name;
  const user = (await daemon.client.call(createUser, {})).id;
  const authorized = await daemon.client.call(authorizeProvider, { params: { provider }, query: { user_id: user } });
  const page = new URL(authorized.authorization_url);
  page.searchParams.set('login_hint', name);
  const consented = await fetch(page, { redirect: 'manual' });
  const back = new URL(consented.headers.get('location') ?? '');
  expect((await fetch(`${daemon.url}${back.pathname}${back.search}`, { redirect: 'manual' })).status).toBe(303);
  return { account: provider === 'garmin' ? account : name, user };
}

const openDeliveries = () =>
  inDatabase(daemon.home, async (pool) => {
    const { rows } = await pool.query(
      "select count(*)::int as open from webhook_delivery where state not in ('done', 'failed')",
    );
    return rows[0].open as number;
  });
