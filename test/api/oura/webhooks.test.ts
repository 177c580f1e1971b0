import { type OuraDocument, type OuraSimulator, startOuraSimulator } from '@healthd/simulators';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ConnectedUser, openVendorFixture, type VendorFixture } from '../../support/vendor-fixture.js';

let fixture: VendorFixture<OuraSimulator>;
let ada: ConnectedUser;
let subscribed: readonly { status: string }[];
beforeEach(async () => {
  fixture = await openVendorFixture('oura', await startOuraSimulator({ autoConsent: true }));
  await fixture.control.addAccount({ id: 'ada', userId: 'user-77', timeZone: 'UTC' });
  ada = await fixture.connect('ada');
  await fixture.reading.settle();
  subscribed = (await subscribe()) ?? [];
  await fixture.control.holdDeliveries(true);
});
afterEach(() => fixture.close());

/** Subscribes as the job does. The vendor challenges the service's route during the call. */
async function subscribe() {
  const { cloud, configuration } = fixture.reading.connections.configurationOf('oura') ?? {};
  if (!configuration) throw new Error('oura is not configured');
  return cloud?.subscribers?.ensure(configuration, `${fixture.service.url}/api/v1/providers/oura/webhooks`);
}

const NOW_MS = Date.now();
const hours = (n: number) => `${new Date(NOW_MS - n * 3_600_000).toISOString().slice(0, 19)}+00:00`;
const day = (n: number) => hours(n).slice(0, 10);
const night = (change: Partial<OuraDocument> = {}): OuraDocument => ({
  id: 'night-1',
  day: day(22),
  type: 'long_sleep',
  bedtime_start: hours(30),
  bedtime_end: hours(22),
  time_in_bed: 28_800,
  lowest_heart_rate: 51,
  low_battery_alert: false,
  period: 0,
  ...change,
});
const workout = { id: 'run-1', day: day(5), activity: 'running', start_datetime: hours(5), end_datetime: hours(4) };
const readiness = (score: number) => ({ id: 'ready-1', day: day(22), score, contributors: {} });
const event = (change: object = {}) => ({
  event_type: 'update',
  data_type: 'sleep',
  object_id: 'night-1',
  event_time: hours(0),
  user_id: 'user-77',
  ...change,
});
const notifications = async () => (await fixture.pool.query('select 1 from provider_notification')).rowCount;
const workouts = async () =>
  (await fixture.pool.query('select external_id, type from workout where user_key = $1', [ada.userKey])).rows;

it("registers subscriptions while the vendor challenges the service's URL", async () => {
  expect(new Set(subscribed.map(({ status }) => status))).toEqual(new Set(['created']));
  expect(await fixture.control.subscriptions()).toHaveLength(subscribed.length);
});

it.each(['', '?challenge=x&verification_token=guessed'])(
  'responds 403 to a challenge without the verification token: %s',
  async (query) => {
    expect((await fixture.call('GET', `/api/v1/providers/oura/webhooks${query}`)).status).toBe(403);
  },
);

describe('an event', () => {
  it('leads to a sync of its night, workout or score', async () => {
    await fixture.control.put('ada', { sleep: [night()], workout: [workout], daily_readiness: [readiness(81)] });
    const sent = await fixture.control.flushDeliveries();
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
    await fixture.reading.settle();
    expect(await fixture.nights(ada.userKey)).toMatchObject([{ external_id: 'night-1' }]);
    expect(await workouts()).toEqual([{ external_id: 'run-1', type: 'running' }]);
    expect(await fixture.scores(ada.userKey)).toEqual([{ id: `daily_readiness/${day(22)}`, value: 81 }]);
    expect(await fixture.lastRun(ada)).toMatchObject({ source: 'webhook', status: 'success' });
  });

  it('with a wrong secret or an old timestamp gets 401', async () => {
    expect(await fixture.control.sendEvent(event(), { secret: 'another secret' })).toBe(401);
    expect(await fixture.control.sendEvent(event(), { timestampMs: Date.now() - 360_000 })).toBe(401);
    expect(await notifications()).toBe(0);
    expect(await fixture.control.sendEvent(event(), { timestampMs: Date.now() - 200_000 })).toBe(200);
    expect(await fixture.control.sendEvent(event(), { timestampMs: Date.now() - 200_000 })).toBe(200);
  });

  it.each([
    ['of an unread data type', { data_type: 'meal' }],
    ['about an unconnected user', { user_id: 'user-1' }],
    ['without a document', { object_id: null }],
  ])('%s is accepted without a request', async (_, change) => {
    await fixture.control.clearRequests();
    expect(await fixture.control.sendEvent({ ...event(change), to_anybody: true })).toBe(200);
    await fixture.reading.settle();
    expect(await fixture.control.requests()).toEqual([]);
    expect(await notifications()).toBe(0);
  });
});

it("stores the vendor's state after repeated and reordered events", async () => {
  await fixture.control.put('ada', { sleep: [night()], workout: [workout], daily_readiness: [readiness(60)] });
  await fixture.control.put('ada', { sleep: [night({ bedtime_end: hours(21) })], daily_readiness: [readiness(74)] });
  await fixture.control.remove('ada', 'workout', 'run-1');
  expect(await fixture.control.flushDeliveries({ reversed: true, twice: true })).toHaveLength(12);
  await fixture.reading.settle();
  const [one, ...more] = await fixture.nights(ada.userKey);
  expect(more).toEqual([]);
  expect(one.end_at.getTime()).toBe(Date.parse(hours(21)));
  expect(await fixture.samples(ada.userKey, 'resting_heart_rate')).toMatchObject([
    { atMs: Date.parse(hours(21)), value: 51 },
  ]);
  expect(await workouts()).toEqual([]);
  expect(await fixture.scores(ada.userKey)).toMatchObject([{ value: 74 }]);
});

describe('data deleted at the vendor', () => {
  beforeEach(async () => {
    await fixture.control.put('ada', { sleep: [night()], workout: [workout], daily_readiness: [readiness(60)] });
    await fixture.control.flushDeliveries();
    await fixture.reading.settle();
  });

  it.each(['deleted', 'rest'])('deletes a night that became %s, including its readings', async (type) => {
    await fixture.control.put('ada', { sleep: [night({ type })] });
    await fixture.control.flushDeliveries();
    await fixture.reading.settle();
    expect(await fixture.nights(ada.userKey)).toEqual([]);
    expect(await fixture.samples(ada.userKey, 'resting_heart_rate')).toEqual([]);
  });

  it("deletes the vendor's deleted night, workout and score", async () => {
    await fixture.control.remove('ada', 'sleep', 'night-1');
    await fixture.control.remove('ada', 'workout', 'run-1');
    await fixture.control.remove('ada', 'daily_readiness', 'ready-1');
    await fixture.control.flushDeliveries();
    await fixture.reading.settle();
    expect(await fixture.nights(ada.userKey)).toEqual([]);
    expect(await workouts()).toEqual([]);
    expect(await fixture.scores(ada.userKey)).toEqual([]);
  });
});

it("returns workouts in the vendor's format, as a list and by ID", async () => {
  await fixture.control.put('ada', { workout: [workout] });
  const path = `/api/v1/providers/oura/users/${ada.userId}/workouts`;
  expect((await fixture.call('GET', path)).body).toMatchObject({ data: [workout] });
  expect((await fixture.call('GET', `${path}/run-1`)).body).toMatchObject(workout);
  expect((await fixture.call('GET', `${path}/run-2`)).status).toBe(404);
});
