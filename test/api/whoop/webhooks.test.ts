import { schedulePulls } from '@healthd/daemon/ingest/pull';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ConnectedUser, openWhoopFixture, type WhoopFixture } from './whoop-fixture.js';

const USER = 778_812;
const NIGHT = '9a1f7f7a-8d70-4c3f-9b0e-0c5a3d9f1e20';
const RUN = '3f0c1a52-2b9e-4b6e-8f0b-8f2d1f6b9c11';
const hours = (n: number) => new Date(Date.now() - n * 3_600_000).toISOString();
const sleep = { id: NIGHT, cycle_id: 1, start: hours(16), end: hours(8) };
const score = { user_calibrating: false, recovery_score: 71, resting_heart_rate: 52, hrv_rmssd_milli: 63.4 };
const recovery = { sleep_id: NIGHT, cycle_id: 1, score };
const run = { id: RUN, start: hours(5), end: hours(4), sport_name: 'running' };

let fixture: WhoopFixture;
let ada: ConnectedUser;
beforeEach(async () => {
  fixture = await openWhoopFixture();
  await fixture.control.addAccount({ id: 'ada', userId: String(USER) });
  ada = await fixture.connect('ada');
  await fixture.reading.settle();
  await fixture.control.setWebhook({
    url: `${fixture.service.url}/api/v1/providers/whoop/webhooks`,
    deliveries: 'held',
  });
});
afterEach(() => fixture.close());

const send = (event: object, change?: { secret?: string; timestampMs?: number }) =>
  fixture.control.sendEvent(event, change);
const event = (type: string, id: string | number = NIGHT) => ({ user_id: USER, id, type, trace_id: 't' });
const notifications = async () =>
  (await fixture.pool.query('select data_type, operation, item_id from provider_notification order by seq')).rows;
const resting = () => fixture.samples(ada.userKey, 'resting_heart_rate');

describe('an event', () => {
  it('leads to a sync of its night, recovery or workout', async () => {
    await fixture.control.put('ada', { sleeps: [sleep], recoveries: [recovery], workouts: [run] });
    const sent = await fixture.control.flushDeliveries();
    expect(sent.map(({ status }) => status)).toEqual([204, 204, 204]);
    await fixture.reading.settle();
    expect(await fixture.nights(ada.userKey)).toMatchObject([{ external_id: NIGHT }]);
    expect(await resting()).toMatchObject([{ value: 52, atMs: Date.parse(sleep.end) }]);
    expect((await fixture.scores(ada.userKey)).map(({ id }) => id)).toEqual([
      `sleep/${NIGHT}`,
      `recovery/${NIGHT}`,
      `workout/${RUN}`,
    ]);
    expect(await fixture.lastRun(ada)).toMatchObject({ source: 'webhook', status: 'success' });
  });

  it('with a wrong secret gets 401 without being stored', async () => {
    expect(await send(event('sleep.updated'), { secret: 'another secret' })).toBe(401);
    expect(await notifications()).toEqual([]);
  });

  it('with a wrong signature is counted as badly signed', async () => {
    const countOf = async (outcome: string) =>
      (
        await fixture.pool.query(
          `select notifications::int from notification_count where provider = 'whoop' and outcome = $1`,
          [outcome],
        )
      ).rows[0]?.notifications ?? 0;
    expect(await send(event('sleep.updated'), { secret: 'another secret' })).toBe(401);
    // Polls, because the service writes the counts only every ten seconds.
    await expect.poll(() => countOf('badly_signed'), { interval: 1_000, timeout: 60_000 }).toBeGreaterThan(0);
    expect(await countOf('refused')).toBe(0);
  });

  it('gets 401 only if its timestamp is older than the tolerance', async () => {
    expect(await send(event('sleep.updated'), { timestampMs: Date.now() - 360_000 })).toBe(401);
    expect(await send(event('sleep.updated'), { timestampMs: Date.now() - 200_000 })).toBe(204);
    expect(await send(event('sleep.updated'), { timestampMs: Date.now() - 200_000 })).toBe(204);
  });

  it.each([
    ['of version 1, with a number as id,', event('sleep.updated', 10_235)],
    ['of an unknown type', event('session.updated')],
    ['about an unconnected user', { ...event('sleep.updated'), user_id: 1 }],
    ['without an id', { user_id: USER, type: 'sleep.updated' }],
  ])('%s is accepted without a request', async (_, sent) => {
    await fixture.control.clearRequests();
    expect(await send(sent)).toBe(204);
    await fixture.reading.settle();
    expect(await fixture.control.requests()).toEqual([]);
    expect(await notifications()).toEqual([]);
  });

  it('that arrives before its night leaves the night to a later event', async () => {
    expect(await send(event('sleep.updated'))).toBe(204);
    await fixture.reading.settle();
    expect(await fixture.lastRun(ada)).toMatchObject({ status: 'success' });
    await fixture.control.put('ada', { sleeps: [sleep] });
    await fixture.control.flushDeliveries();
    await fixture.reading.settle();
    expect(await fixture.nights(ada.userKey)).toHaveLength(1);
  });
});

describe('repeated and reordered events', () => {
  it("lead to the vendor's state", async () => {
    await fixture.control.put('ada', { sleeps: [sleep], recoveries: [recovery], workouts: [run] });
    await fixture.control.put('ada', { sleeps: [{ ...sleep, end: hours(7) }] });
    await fixture.control.remove('ada', 'workout', RUN);
    const sent = await fixture.control.flushDeliveries({ reversed: true, twice: true });
    expect(sent).toHaveLength(10);
    await fixture.reading.settle();
    const [night, ...more] = await fixture.nights(ada.userKey);
    expect(more).toEqual([]);
    expect(await resting()).toMatchObject([{ value: 52, atMs: night.end_at.getTime() }]);
    expect((await fixture.scores(ada.userKey)).map(({ id }) => id)).toEqual([`sleep/${NIGHT}`, `recovery/${NIGHT}`]);
  });
});

describe('a deletion', () => {
  beforeEach(async () => {
    await fixture.control.put('ada', { sleeps: [sleep], recoveries: [recovery], workouts: [run] });
    await fixture.control.flushDeliveries();
    await fixture.reading.settle();
  });

  it('of a sleep deletes its recovery even without a recovery event', async () => {
    await fixture.control.remove('ada', 'sleep', NIGHT, { notify: false });
    expect(await send(event('sleep.deleted'))).toBe(204);
    await fixture.reading.settle();
    expect(await fixture.nights(ada.userKey)).toEqual([]);
    expect(await resting()).toEqual([]);
    expect((await fixture.scores(ada.userKey)).map(({ id }) => id)).toEqual([`workout/${RUN}`]);
  });

  it('of a recovery keeps the night', async () => {
    await fixture.control.remove('ada', 'recovery', NIGHT);
    await fixture.control.flushDeliveries();
    await fixture.reading.settle();
    expect(await fixture.nights(ada.userKey)).toHaveLength(1);
    expect(await resting()).toEqual([]);
  });

  it.each([
    ['workout', RUN, '/v2/activity/workout'],
    ['sleep', NIGHT, '/v2/activity/sleep'],
  ] as const)('of a %s, delivered twice, costs no further request', async (kind, id, path) => {
    const other = { id: '5d6f1a52-2b9e-4b6e-8f0b-8f2d1f6b9c12', start: hours(40), end: hours(32) };
    await fixture.control.put('ada', { sleeps: [{ ...other, cycle_id: 2 }], workouts: [other] });
    await fixture.control.remove('ada', kind, id);
    await fixture.control.flushDeliveries();
    await fixture.reading.settle();
    await fixture.control.clearRequests();
    expect(await send({ ...event(`${kind}.deleted`, id), trace_id: 'again' })).toBe(204);
    await fixture.reading.settle();
    expect(await fixture.control.requests(path)).toEqual([]);
  });

  it('of a workout deletes the workout and its strain', async () => {
    await fixture.control.remove('ada', 'workout', RUN);
    await fixture.control.flushDeliveries();
    await fixture.reading.settle();
    const { rows } = await fixture.pool.query('select 1 from workout where user_key = $1', [ada.userKey]);
    expect(rows).toEqual([]);
    expect((await fixture.scores(ada.userKey)).map(({ id }) => id)).not.toContain(`workout/${RUN}`);
  });
});

it("finds the item of a lost event in the next day's poll", async () => {
  const { uses } = fixture.reading.connections;
  const schedule = async () => {
    await schedulePulls(fixture.reading.services, ['whoop'], new AbortController().signal);
    await fixture.wait(700);
    await fixture.reading.settle();
  };
  const workouts = async () =>
    (await fixture.pool.query('select external_id from workout where user_key = $1', [ada.userKey])).rows;
  await uses.change('whoop', { liveSyncMode: 'webhook' });
  await uses.setSubscriberState('whoop', 'active');
  await fixture.wait(7 * 3_600);
  await schedule();
  await fixture.control.put('ada', { workouts: [{ ...run, start: hours(60), end: hours(59) }] }, { notify: false });
  const notified = (afterHours: number) =>
    fixture.reading.connections.markNotified([ada.connectionId], new Date(Date.now() + afterHours * 3_600_000));
  await fixture.wait(12 * 3_600);
  await notified(19);
  await schedule();
  expect(await workouts()).toEqual([]);
  await fixture.wait(14 * 3_600);
  await notified(33);
  await schedule();
  expect(await workouts()).toEqual([{ external_id: RUN }]);
});

it('reads an old workout with one request after an edit event', async () => {
  const old = { ...run, start: hours(24 * 60), end: hours(24 * 60 - 1) };
  await fixture.control.put('ada', { workouts: [old] }, { notify: false });
  await fixture.call('POST', `/api/v1/providers/whoop/users/${ada.userId}/sync/historical?days=90`);
  await fixture.reading.settle();
  await fixture.control.put('ada', { workouts: [{ ...old, sport_name: 'cycling' }] });
  await fixture.control.clearRequests();
  await fixture.control.flushDeliveries();
  await fixture.reading.settle();
  const { rows } = await fixture.pool.query('select type from workout where user_key = $1', [ada.userKey]);
  expect(rows).toEqual([{ type: 'cycling' }]);
  expect(await fixture.control.requests('/v2/activity/workout')).toHaveLength(1);
});
