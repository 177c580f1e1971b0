import { type StravaActivity, type StravaSimulator, startStravaSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeRecords } from '../../support/recorded-user.js';
import { GARMIN, run as recordedRun } from '../../support/records.js';
import { type ConnectedUser, openVendorFixture, type VendorFixture } from '../../support/vendor-fixture.js';

const WEBHOOKS = '/api/v1/providers/strava/webhooks';
let fixture: VendorFixture<StravaSimulator>;
let ada: ConnectedUser;
/** Ada's account number, different in each test. */
let athlete = 30_211_177;
beforeAll(async () => {
  fixture = await openVendorFixture('strava', await startStravaSimulator({ autoConsent: true }));
});
afterAll(() => fixture.close());
beforeEach(async () => {
  athlete++;
  await fixture.control.reset();
  await fixture.control.addAccount({ id: 'ada', userId: String(athlete), timeZone: 'UTC' });
  ada = await fixture.connect('ada');
  await fixture.reading.settle();
  await subscribe();
  await fixture.control.holdDeliveries(true);
});

/** Subscribes as the job does. The vendor challenges the service's route during the call. */
async function subscribe(path = WEBHOOKS) {
  const { cloud, configuration } = fixture.reading.connections.configurationOf('strava') ?? {};
  if (!configuration) throw new Error('strava is not configured');
  return cloud?.subscribers?.ensure(configuration, `${fixture.service.url}${path}`, { replaces: 'any' });
}

const NOW_MS = Date.now();
const hours = (n: number) => `${new Date(NOW_MS - n * 3_600_000).toISOString().slice(0, 19)}Z`;
const run = (change: Partial<StravaActivity> = {}): StravaActivity => ({
  id: 14_500_000_001,
  name: 'Evening Run',
  sport_type: 'Run',
  type: 'Run',
  start_date: hours(5),
  utc_offset: 0,
  elapsed_time: 3_600,
  moving_time: 3_500,
  distance: 10_000,
  calories: 700,
  visibility: 'everyone',
  ...change,
});
const put = (...activities: StravaActivity[]) => fixture.control.put('ada', { activities });
const event = (change: object = {}) => ({
  object_type: 'activity',
  object_id: 14_500_000_001,
  aspect_type: 'update',
  updates: {},
  owner_id: athlete,
  subscription_id: 120_475,
  event_time: Math.floor(NOW_MS / 1000),
  ...change,
});
async function flush(options?: { reversed?: boolean; twice?: boolean }) {
  const sent = await fixture.control.flushDeliveries(options);
  await fixture.reading.settle();
  return sent.map(({ status }) => status);
}
const workouts = async () =>
  (
    await fixture.pool.query(
      `select external_id, type, name, duration_seconds from workout where user_key = $1 order by start_at`,
      [ada.userKey],
    )
  ).rows;
const notifications = async () => {
  const rows = await fixture.pool.query('select 1 from provider_notification where provider_user_id = $1', [athlete]);
  return rows.rowCount;
};

it.each(['', '?hub.mode=subscribe&hub.challenge=x&hub.verify_token=guessed'])(
  'verifies the subscription only with the verification token: %s',
  async (query) => {
    expect(await fixture.control.subscriptions()).toHaveLength(1);
    expect((await fixture.call('GET', `${WEBHOOKS}${query}`)).status).toBe(403);
  },
);

describe('an event', () => {
  it('leads to a sync of its data', async () => {
    await put(run());
    expect(await flush()).toEqual([200]);
    expect(await workouts()).toMatchObject([{ external_id: '14500000001', type: 'running', name: 'Evening Run' }]);
    expect(await fixture.lastRun(ada)).toMatchObject({ source: 'webhook', status: 'success' });
  });

  it.each(['/api/v1/strava/webhooks', '/api/v1/strava/webhook'])(
    'at the verified former URL %s is read',
    async (path) => {
      await subscribe(path);
      expect(
        (await fixture.control.subscriptions()).map(({ callback_url }) => new URL(callback_url).pathname),
      ).toContain(path);
      await put(run());
      expect(await flush()).toEqual([200]);
      expect(await workouts()).toHaveLength(1);
    },
  );

  it.each(['', '?token=', '?token=guessed'])("is not stored without the URL's token: %s", async (query) => {
    const response = await fetch(`${fixture.service.url}${WEBHOOKS}${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(event()),
    });
    expect(response.status).toBe(401);
    expect(await notifications()).toBe(0);
  });

  it.each([
    ['about an unconnected user', { owner_id: 1 }],
    ['about a club', { object_type: 'club' }],
    ['without an activity', { object_id: null }],
  ])('%s is accepted without a request', async (_, change) => {
    await fixture.control.clearRequests();
    expect(await fixture.control.sendEvent(event(change))).toBe(200);
    await fixture.reading.settle();
    expect(await fixture.control.requests()).toEqual([]);
    expect(await notifications()).toBe(0);
  });

  it('with a forged deletion deletes nothing that the vendor still has', async () => {
    await put(run());
    await flush();
    expect(await fixture.control.sendEvent(event({ aspect_type: 'delete' }))).toBe(200);
    await fixture.reading.settle();
    expect(await workouts()).toHaveLength(1);
  });
});

describe('a new activity', () => {
  const monthsAgo = run({ start_date: hours(60 * 24) });
  const requestedPaths = async () => (await fixture.control.requests()).map(({ path }) => path.replace('/api/v3', ''));

  it('from two months ago is found by its ID', async () => {
    await put(monthsAgo);
    await fixture.control.clearRequests();
    expect(await flush()).toEqual([200]);
    expect(await workouts()).toMatchObject([{ external_id: '14500000001', name: 'Evening Run' }]);
    const list = '/athlete/activities';
    expect(await requestedPaths()).toEqual(['/activities/14500000001', list, list, '/activities/14500000001']);
  });

  it('that the vendor lacks costs one request', async () => {
    await fixture.control.clearRequests();
    expect(await fixture.control.sendEvent(event({ aspect_type: 'create' }))).toBe(200);
    await fixture.reading.settle();
    expect(await requestedPaths()).toEqual(['/activities/14500000001']);
    expect(await fixture.reading.waiting()).toEqual([]);
  });

  it('waits for quota before the lookup by ID', async () => {
    await put(monthsAgo);
    await fixture.control.addFault({ kind: 'error', status: 429, path: '/activities/14500000001' });
    await fixture.control.flushDeliveries();
    const [connectionId = ''] = await fixture.reading.waiting();
    await fixture.reading.work(connectionId);
    expect(await workouts()).toEqual([]);
    expect(await fixture.reading.waiting()).toEqual([connectionId]);
    await fixture.reading.settle();
    expect(await workouts()).toMatchObject([{ external_id: '14500000001' }]);
  });

  it('waits for quota even long after its event', async () => {
    await put(monthsAgo);
    await fixture.control.addFault({ kind: 'error', status: 429, path: '/activities/14500000001' });
    await fixture.control.flushDeliveries();
    await fixture.pool.query(`update provider_notification set received_at = received_at - interval '1 hour'`);
    const [connectionId = ''] = await fixture.reading.waiting();
    await fixture.reading.work(connectionId);
    expect(await fixture.reading.waiting()).toEqual([connectionId]);
    await fixture.reading.settle();
    expect(await workouts()).toMatchObject([{ external_id: '14500000001' }]);
  });

  it('that is recent is found without an ID lookup', async () => {
    await put(run());
    await fixture.control.addFault({ kind: 'error', status: 403, path: '/activities/14500000001' });
    await flush();
    expect(await workouts()).toMatchObject([{ external_id: '14500000001' }]);
  });
});

it("stores the vendor's state after repeated and reordered events", async () => {
  await put(run(), run({ id: 2, start_date: hours(30) }));
  await put(run({ name: 'Tempo', sport_type: 'TrailRun' }));
  await fixture.control.remove('ada', 2);
  expect(await flush({ reversed: true, twice: true })).toHaveLength(8);
  expect(await workouts()).toMatchObject([{ external_id: '14500000001', type: 'trail_running', name: 'Tempo' }]);
});

it('keeps one activity when its type, length or device changes', async () => {
  await put(run({ device_name: 'Garmin Forerunner 265' }));
  await flush();
  await put(run({ name: 'Cropped', sport_type: 'Walk', elapsed_time: 1_800, device_name: 'Watch7,3' }));
  await flush();
  expect(await workouts()).toMatchObject([{ type: 'walking', name: 'Cropped', duration_seconds: 1_800 }]);
});

it('keeps no deleted activity, even if deleted before its first read', async () => {
  await put(run(), run({ id: 2, start_date: hours(30) }));
  await fixture.control.remove('ada', 2);
  await flush();
  expect(await workouts()).toHaveLength(1);
  await fixture.control.remove('ada', 14_500_000_001);
  await flush();
  expect(await workouts()).toEqual([]);
});

describe('without consent to private activities', () => {
  beforeEach(async () => {
    await fixture.call('DELETE', `/api/v1/users/${ada.userId}/connections/strava`);
    await fixture.control.setConsent({ scopes: ['read', 'activity:read'] });
    await fixture.connect('ada', ada.userId);
    await fixture.reading.settle();
  });

  it('shows missing permissions on the connection', async () => {
    expect(await fixture.connection(ada)).toMatchObject({
      status: 'active',
      scope: 'read activity:read',
      missing_scopes: ['activity:read_all'],
      missing_data_types: [],
    });
  });

  it('stores an activity only while public', async () => {
    await put(run());
    await flush();
    expect(await workouts()).toHaveLength(1);
    await put(run({ visibility: 'only_me' }));
    expect(await flush()).toEqual([200]);
    expect(await workouts()).toEqual([]);
    await put(run());
    await flush();
    expect(await workouts()).toHaveLength(1);
  });
});

it('creates no connection for a consent without access to activities', async () => {
  await fixture.control.addAccount({ id: 'eve' });
  await fixture.control.setConsent({ scopes: ['read'] });
  await expect(fixture.connect('eve')).rejects.toThrow('no connection was made');
});

describe('a report of a revoked consent', () => {
  it('ends the connection once the vendor rejects requests', async () => {
    await fixture.control.deauthorize('ada');
    await flush();
    expect(await fixture.connection(ada)).toMatchObject({ status: 'revoked' });
  });

  it('is ignored while the vendor accepts requests', async () => {
    await put(run());
    const ended = { object_type: 'athlete', object_id: athlete, updates: { authorized: 'false' } };
    expect(await fixture.control.sendEvent(event(ended))).toBe(200);
    await fixture.reading.settle();
    expect(await fixture.connection(ada)).toMatchObject({ status: 'active' });
  });
});

it("shows a watch's activity once, from the preferred provider", async () => {
  await put(run({ sport_type: 'TrailRun' }));
  await flush();
  const startMs = Date.parse(hours(5)) + 20_000;
  const { pool } = fixture;
  await writeRecords({ pool }, ada.userKey, [
    recordedRun({ source: GARMIN, type: 'running', externalId: 'garmin-1', startMs, endMs: startMs + 3_560_000 }),
  ]);
  const days = [-2, 2].map((n) => new Date(NOW_MS + n * 86_400_000).toISOString().slice(0, 10));
  const path = `/api/v1/users/${ada.userId}/events/workouts?start_date=${days[0]}&end_date=${days[1]}`;
  const { data } = (await fixture.call('GET', `${path}&filter_by_priority=true`)).body;
  expect(data).toMatchObject([{ type: 'running', source: { provider: 'garmin' } }]);
  const both = (await fixture.call('GET', path)).body.data;
  expect(both.map((one: { source: { provider: string } }) => one.source.provider).toSorted()).toEqual([
    'garmin',
    'strava',
  ]);
});

it("returns activities in the vendor's format, as a list and by ID", async () => {
  await put(run(), run({ id: 2, start_date: hours(30) }));
  const path = `/api/v1/providers/strava/users/${ada.userId}/workouts`;
  const listed = (await fixture.call('GET', path)).body;
  expect(listed.map(({ id }: { id: number }) => id)).toEqual([14_500_000_001, 2]);
  expect((await fixture.call('GET', `${path}/14500000001`)).body).toMatchObject({ name: 'Evening Run', calories: 700 });
  expect((await fixture.call('GET', `${path}/3`)).status).toBe(404);
  expect((await fixture.call('GET', `${path}/run`)).status).toBe(404);
});
