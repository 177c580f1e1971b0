import { type PolarDated, type PolarExercise, type PolarSimulator, startPolarSimulator } from '@healthd/simulators';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ConnectedUser, openVendorFixture, type VendorFixture } from '../../support/vendor-fixture.js';

const PATH = '/api/v1/providers/polar/webhooks';
let fixture: VendorFixture<PolarSimulator>;
let ada: ConnectedUser;
let endpoint: string;
beforeEach(async () => {
  fixture = await openVendorFixture('polar', await startPolarSimulator({ autoConsent: true }));
  endpoint = `${fixture.service.url}${PATH}`;
  await fixture.control.addAccount({ id: 'ada', userId: '60417735', timeZone: 'UTC' });
  ada = await fixture.connect('ada');
  await fixture.reading.settle();
  await subscribe();
  await fixture.control.holdDeliveries(true);
});
afterEach(() => fixture.close());

/** Subscribes as the job does. The vendor pings the service's route during the call. */
async function subscribe() {
  const { connections } = fixture.reading;
  const { cloud, configuration } = connections.configurationOf('polar') ?? {};
  if (!configuration || !cloud?.subscribers) throw new Error('polar is not configured');
  return connections.givenSecrets.ensure('polar', cloud.subscribers, configuration, endpoint);
}

const NOW_MS = Date.now();
const time = (hoursAgo: number) => new Date(NOW_MS - hoursAgo * 3_600_000).toISOString().slice(0, 19);
const day = (hoursAgo: number) => time(hoursAgo).slice(0, 10);
const night = (change: Partial<PolarDated> = {}): PolarDated => ({
  date: day(22),
  sleep_start_time: `${time(30)}+00:00`,
  sleep_end_time: `${time(22)}+00:00`,
  light_sleep: 14_000,
  deep_sleep: 5_000,
  rem_sleep: 6_000,
  total_interruption_duration: 1_800,
  sleep_score: 70,
  hypnogram: {},
  heart_rate_samples: {},
  ...change,
});
const recharge = (status: number): PolarDated => ({
  date: day(22),
  nightly_recharge_status: status,
  heart_rate_variability_avg: 61,
});
const run = (change: Partial<PolarExercise> = {}): PolarExercise => ({
  id: 'q7RtYw',
  upload_time: `${time(3)}Z`,
  start_time: time(5),
  start_time_utc_offset: 0,
  duration: 'PT41M12.5S',
  calories: 402,
  sport: 'OTHER',
  detailed_sport_info: 'RUNNING_TRAIL',
  ...change,
});
const event = (change: object = {}) => ({
  event: 'SLEEP',
  user_id: 60_417_735,
  date: day(22),
  timestamp: `${time(0)}Z`,
  url: 'https://www.polaraccesslink.com/v3/users/sleep/x',
  ...change,
});
const notifications = async () => (await fixture.pool.query('select 1 from provider_notification')).rowCount;
const workouts = async () =>
  (await fixture.pool.query('select external_id, type, start_at from workout where user_key = $1', [ada.userKey])).rows;

describe('the registration', () => {
  it('is created while Polar pings the URL, before a secret exists', async () => {
    expect(await fixture.control.webhooks()).toMatchObject([{ url: endpoint, active: true }]);
    expect(await fixture.reading.connections.webhookSecretsOf('polar')).toHaveLength(1);
    expect(await subscribe()).toMatchObject([{ status: 'skipped' }]);
  });

  it('is created again if its secret is lost', async () => {
    await fixture.pool.query('update provider_setting set given_secret = null');
    expect(await fixture.control.sendEvent(event())).toBe(401);
    expect(await subscribe()).toMatchObject([{ status: 'updated' }]);
    expect(await fixture.control.sendEvent(event())).toBe(200);
  });

  it('obtains a new secret on a manual request without revealing the secret', async () => {
    await fixture.pool.query('update provider_setting set given_secret = null');
    const registrationPath = `${PATH}/subscriptions?callback_url=${encodeURIComponent(endpoint)}`;
    const { call } = await fixture.service.logIn();
    const created = await call('POST', registrationPath);
    expect(created.body).toMatchObject({ subscriptions: [{ status: 'updated' }] });
    const [secret = ''] = await fixture.reading.connections.webhookSecretsOf('polar');
    expect(secret).not.toBe('');
    expect(JSON.stringify(created.body)).not.toContain(secret);
    const listed = await call('GET', `${PATH}/subscriptions`);
    expect(listed.body.subscriptions).toMatchObject([{ url: endpoint, active: true }]);
    expect(await fixture.control.sendEvent(event())).toBe(200);
  });
});

describe('an event', () => {
  it('leads to a sync of its night, recharge or exercise', async () => {
    await fixture.control.put('ada', { sleep: [night()], recharges: [recharge(5)], exercises: [run()] });
    const sent = await fixture.control.flushDeliveries();
    expect(sent.map(({ status }) => status)).toEqual([200, 200]);
    await fixture.reading.settle();
    expect(await fixture.nights(ada.userKey)).toMatchObject([{ external_id: day(22) }]);
    expect(await workouts()).toMatchObject([{ external_id: 'q7RtYw', type: 'trail_running' }]);
    expect((await fixture.scores(ada.userKey)).map(({ id, value }) => `${id} ${value}`).toSorted()).toEqual([
      `nightly-recharge/${day(22)} 5`,
      `sleep/${day(22)} 70`,
    ]);
    expect(await fixture.samples(ada.userKey, 'heart_rate_variability_rmssd')).toMatchObject([{ value: 61 }]);
    expect(await fixture.lastRun(ada)).toMatchObject({ source: 'webhook', status: 'success' });
  });

  it.each([
    ['is signed with another secret', event(), { secret: 'another secret' }],
    ['is signed with an empty secret', event(), { secret: '' }],
  ])('that %s gets 401 without being stored', async (_, sent, change) => {
    expect(await fixture.control.sendEvent(sent, change)).toBe(401);
    expect(await notifications()).toBe(0);
  });

  it('gets 401 without a signature, but an unsigned ping gets 200', async () => {
    const post = (body: string) => fetch(endpoint, { method: 'POST', body });
    expect((await post(JSON.stringify(event()))).status).toBe(401);
    expect((await post('[1]')).status).toBe(401);
    expect((await post('no JSON')).status).toBe(401);
    const pinged = await post(JSON.stringify({ timestamp: `${time(0)}Z`, event: 'PING' }));
    expect([pinged.status, await pinged.json()]).toEqual([200, { status: 'ok' }]);
    expect(await notifications()).toBe(0);
  });

  it.each([
    ['of an unknown type', { event: 'MOON_PHASE' }],
    ['about an unconnected user', { user_id: 1 }],
    ['without a user', { user_id: null }],
  ])('%s is accepted without a request', async (_, change) => {
    await fixture.control.clearRequests();
    expect(await fixture.control.sendEvent({ ...event(change), to_anybody: true })).toBe(200);
    await fixture.reading.settle();
    expect(await fixture.control.requests()).toEqual([]);
    expect(await notifications()).toBe(0);
  });
});

it("stores Polar's state after repeated and reordered events", async () => {
  await fixture.control.put('ada', { sleep: [night()], recharges: [recharge(3)], exercises: [run()] });
  await fixture.control.put('ada', {
    sleep: [night({ sleep_end_time: `${time(21)}+00:00`, sleep_score: 74 })],
    recharges: [recharge(4)],
    exercises: [run({ start_time: time(6), detailed_sport_info: 'RUNNING_ROAD' })],
  });
  expect(await fixture.control.flushDeliveries({ reversed: true, twice: true })).toHaveLength(8);
  await fixture.reading.settle();
  const [one, ...more] = await fixture.nights(ada.userKey);
  expect(more).toEqual([]);
  expect(one.end_at.toISOString()).toBe(`${time(21)}.000Z`);
  const [workout, ...others] = await workouts();
  expect(others).toEqual([]);
  expect(workout).toMatchObject({ external_id: 'q7RtYw', type: 'running' });
  expect(workout.start_at.toISOString()).toBe(`${time(6)}.000Z`);
  expect((await fixture.scores(ada.userKey)).map(({ value }) => value).toSorted()).toEqual([4, 74]);
});

it('finds an exercise from weeks ago by its ID', async () => {
  await fixture.control.put('ada', { exercises: [run({ start_time: time(24 * 25), upload_time: `${time(1)}Z` })] });
  await fixture.control.flushDeliveries();
  await fixture.reading.settle();
  expect(await workouts()).toHaveLength(1);
});

it('stores data of one event for both users of an account', async () => {
  const second = await fixture.connect('ada');
  await fixture.reading.settle();
  await fixture.control.put('ada', { sleep: [night()] });
  await fixture.control.flushDeliveries();
  await fixture.reading.settle();
  expect(await fixture.nights(ada.userKey)).toHaveLength(1);
  expect(await fixture.nights(second.userKey)).toHaveLength(1);
});

it("returns workouts in Polar's format, as a list and by ID", async () => {
  await fixture.control.put('ada', { exercises: [run()] });
  const path = `/api/v1/providers/polar/users/${ada.userId}/workouts`;
  expect((await fixture.call('GET', path)).body).toMatchObject([{ id: 'q7RtYw', duration: 'PT41M12.5S' }]);
  expect((await fixture.call('GET', `${path}/q7RtYw`)).body).toMatchObject({ id: 'q7RtYw' });
  expect((await fixture.call('GET', `${path}/unknown`)).status).toBe(404);
});
