import { deliveryJob } from '@healthd/daemon/ingest/webhooks';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { joinReading } from '../../support/reading-fixture.js';
import { startSecondService } from '../../support/service.js';
import { type DeliveryFixture, daily, dailyOf, type GarminUser, openDeliveryFixture } from './delivery-fixture.js';
import { acceptSamples, letWeekPass, type RejectedSamples, rejectSamples } from './rejected-samples.js';

let fixture: DeliveryFixture;
let ada: GarminUser;
let ben: GarminUser;
beforeEach(async () => {
  fixture = await openDeliveryFixture();
  ({ ada } = fixture);
  ben = await fixture.addUser('ben');
});
afterEach(() => fixture.close());

const send = async (body: object) => expect(await fixture.send(body)).toBe(200);
const lastRun = (user: GarminUser) => fixture.lastRun(user);
/** Waits until the notification counts have these values. The service writes the counts every ten seconds. */
async function expectCounts(...counts: string[]): Promise<void> {
  const counted = async () =>
    (
      await fixture.pool.query(
        `select outcome, notifications::int from notification_count where provider = 'garmin' order by outcome`,
      )
    ).rows.map(({ outcome, notifications }) => `${outcome} ${notifications}`);
  await expect.poll(counted, { interval: 1_000, timeout: 60_000 }).toEqual(counts);
}
/** Makes all waiting deliveries due. Sets a past time, because the clocks of service and database differ. */
const hurry = () => fixture.pool.query('update webhook_delivery set next_try_at = now() - make_interval(secs => 1)');

const refuse = (state: string, what: RejectedSamples) => rejectSamples(fixture.pool, state, what);
const relent = () => acceptSamples(fixture.pool);
const weekLater = () => letWeekPass(fixture.pool);

it('continues after an item that can never be stored', async () => {
  await refuse('22003', { value: 666 });
  const days = Array.from({ length: 9 }, (_, at) => dailyOf(ada, 9 - at, 100 + at));
  await send({ dailies: [...days.slice(0, 4), dailyOf(ada, 20, 666), ...days.slice(4), dailyOf(ben, 1, 7)] });
  await fixture.settle();
  expect(await fixture.steps(ada)).toEqual([100, 101, 102, 103, 104, 105, 106, 107, 108]);
  expect(await fixture.steps(ben)).toEqual([7]);
  expect(await lastRun(ada)).toMatchObject({
    status: 'partial',
    metadata: {
      data_types: { dailies: { received: 10, rejected: 1, rejected_by_reason: { 'not_stored:item 5, 22003': 1 } } },
    },
  });
  expect(await lastRun(ben)).toMatchObject({ status: 'success' });
  expect(await fixture.connection(ada)).toMatchObject({ last_synced_at: expect.any(String) });
  // The delivery's file is retained for diagnosis.
  const { rows } = await fixture.pool.query('select state, problem, file_deleted_at from webhook_delivery');
  expect(rows).toEqual([{ state: 'failed', problem: 'items_not_stored', file_deleted_at: null }]);
});

it("keeps a delayed user's deliveries in order without delaying other users", async () => {
  await refuse('40P01', { userKey: ada.userKey });
  await send({ dailies: [dailyOf(ada, 1, 1), dailyOf(ben, 1, 10)] });
  await send({ dailies: [dailyOf(ada, 1, 2), dailyOf(ben, 1, 20)] });
  await fixture.settle();
  expect(await fixture.steps(ben)).toEqual([20]);
  expect(await fixture.deliveries()).toEqual({ received: 2 });
  const runs = (await fixture.reading.runsOf(ben.userKey)).filter(({ source }) => source === 'webhook');
  expect(runs.map(({ status }) => status)).toEqual(['success', 'success']);
  const { rows } = await fixture.pool.query(
    `select waits_for from webhook_delivery_share join webhook_delivery d on d.id = delivery_id
      where connection_id = $1 order by seq`,
    [ada.connectionId],
  );
  expect(rows.map(({ waits_for }) => waits_for)).toEqual(['item 1: 40P01', 'item 1: earlier_delivery']);
  await relent();
  // Makes the later delivery due first.
  await fixture.pool.query(
    `update webhook_delivery set next_try_at = now() - make_interval(secs => 1), failures = 5 where seq = 1`,
  );
  await fixture.pool.query(`update webhook_delivery set next_try_at = now() - make_interval(secs => 1) where seq = 2`);
  await fixture.settle();
  await hurry();
  await fixture.settle();
  expect(await fixture.steps(ada)).toEqual([2]);
  expect(await fixture.steps(ben)).toEqual([20]);
  expect(await fixture.deliveries()).toEqual({ done: 2 });
  const ended = (await fixture.reading.runsOf(ben.userKey)).filter(({ source }) => source === 'webhook');
  expect(ended.length).toBe(2);
});

it("counts a delivery's notifications once despite repeated reads", async () => {
  await refuse('40P01', { userKey: ada.userKey });
  await send({
    dailies: [dailyOf(ada, 1, 1), dailyOf(ben, 1, 10), { ...dailyOf(ben, 1, 10), userId: 'stranger' }],
    moods: [{ userId: ben.account, mood: 1 }],
  });
  for (let passes = 0; passes < 4; passes++) {
    await fixture.settle();
    await hurry();
  }
  await relent();
  await fixture.settle();
  expect(await fixture.steps(ada)).toEqual([1]);
  await expectCounts('accepted 2', 'unhandled 1', 'unmatched 1');
});

it('does not recount notifications when a consent needs the delivery again', async () => {
  const { userId: account } = await fixture.control.addAccount({ id: 'carla' });
  await send({
    dailies: [dailyOf(ada, 1, 1), { userId: account, ...daily(1, 5) }],
    moods: [{ userId: ben.account, mood: 1 }],
  });
  await fixture.settle();
  const carla = await fixture.connect('carla');
  await fixture.settle();
  expect(await fixture.steps(carla)).toEqual([5]);
  await send({ dailies: [dailyOf(ben, 1, 10)] });
  await fixture.settle();
  await expectCounts('accepted 2', 'unhandled 1', 'unmatched 1');
});

it('reports unstorable items as abandoned after a week', async () => {
  await send({ dailies: [dailyOf(ada, 1, 1), dailyOf(ben, 1, 10)] });
  await refuse('40P01', { userKey: ada.userKey });
  for (let passes = 0; passes < 12; passes++) {
    await fixture.settle();
    await hurry();
  }
  expect(await fixture.deliveries()).toEqual({ received: 1 });
  await weekLater();
  await fixture.settle();
  expect(await fixture.deliveries()).toEqual({ failed: 1 });
  expect(await lastRun(ada)).toMatchObject({
    status: 'failed',
    metadata: { data_types: { delivery: { error: 'gave_up: item 1: 40P01' } } },
  });
  expect(await fixture.steps(ben)).toEqual([10]);
});

it('stores other data while a blocked notification waits', async () => {
  await fixture.control.addFault({ kind: 'error', status: 503, path: '/user/id', times: null });
  await send({ deregistrations: [{ userId: ada.account }], dailies: [dailyOf(ben, 1, 10)] });
  await fixture.settle();
  expect(await fixture.steps(ben)).toEqual([10]);
  expect(await lastRun(ben)).toMatchObject({ status: 'success' });
  expect((await fixture.connection(ada)).status).toBe('active');
  expect(await fixture.deliveries()).toEqual({ received: 1 });
  await fixture.control.clearFaults();
  await fixture.control.deregister('ada');
  await hurry();
  await fixture.settle();
  expect((await fixture.connection(ada)).status).not.toBe('active');
  expect(await fixture.deliveries()).toEqual({ done: 1 });
});

it.each(['XX000', '42P01'])('waits until a failure outside the data (%s) is fixed', async (state) => {
  await refuse(state, { value: 666 });
  await send({ dailies: [dailyOf(ada, 4, 1), dailyOf(ada, 3, 666), dailyOf(ada, 2, 3), dailyOf(ben, 1, 7)] });
  await fixture.settle();
  expect(await fixture.steps(ada)).toEqual([1]);
  expect(await fixture.steps(ben)).toEqual([7]);
  expect(await fixture.deliveries()).toEqual({ received: 1 });
  await relent();
  await hurry();
  await fixture.settle();
  expect(await fixture.steps(ada)).toEqual([1, 666, 3]);
  expect(await fixture.deliveries()).toEqual({ done: 1 });
});

it('abandons only the blocked data after a week', async () => {
  await refuse('XX000', { value: 666 });
  await send({ dailies: [dailyOf(ada, 4, 1), dailyOf(ada, 3, 666), dailyOf(ada, 2, 3)] });
  await fixture.settle();
  await weekLater();
  await fixture.settle();
  expect(await fixture.steps(ada)).toEqual([1, 3]);
  expect(await lastRun(ada)).toMatchObject({
    status: 'partial',
    metadata: { data_types: { dailies: { rejected_by_reason: { 'not_stored:item 2, XX000': 1 } } } },
  });
  expect(await fixture.deliveries()).toEqual({ failed: 1 });
});

it('delays later deliveries while a permission change is pending', async () => {
  await fixture.pool.query(`update connection set scope = 'ACTIVITY_EXPORT' where id = '${ada.connectionId}'`);
  await fixture.pool.query(`
    create function refuse_consent() returns trigger language plpgsql as $$ begin
      raise exception 'refused by the test' using errcode = '40P01';
    end $$;
    create trigger refuse_consent before update on connection for each row
      when (new.scope is distinct from old.scope) execute function refuse_consent();`);
  await fixture.control.changePermissions('ada', ['HEALTH_EXPORT']);
  await fixture.control.changePermissions('ben', []);
  await fixture.control.flushPushes();
  await send({ dailies: [dailyOf(ada, 2, 1), dailyOf(ben, 2, 10)] });
  await send({ dailies: [dailyOf(ada, 1, 2), dailyOf(ben, 1, 20)] });
  await fixture.settle();
  expect([await fixture.steps(ada), await fixture.steps(ben)]).toEqual([[], []]);
  expect(await fixture.deliveries()).toEqual({ received: 3 });
  await fixture.pool.query('drop function refuse_consent cascade');
  await hurry();
  await fixture.settle();
  await hurry();
  await fixture.settle();
  // After the permission change, the service stores the data that the permissions allow and drops the rest.
  expect([await fixture.steps(ada), await fixture.steps(ben)]).toEqual([[1, 2], []]);
  expect(await fixture.deliveries()).toEqual({ done: 3 });
});

it('ends the runs of a damaged delivery with an error', async () => {
  await refuse('40P01', { userKey: ada.userKey });
  await send({ dailies: [dailyOf(ada, 1, 1)] });
  await fixture.settle();
  expect((await lastRun(ada)).status).toBe('in_progress');
  await fixture.pool.query(
    `update webhook_delivery set sha256 = '\\x00', next_try_at = now() - make_interval(secs => 1)`,
  );
  await fixture.settle();
  expect(await fixture.deliveries()).toEqual({ failed: 1 });
  expect(await lastRun(ada)).toMatchObject({ status: 'failed', error: expect.stringContaining('missing or damaged') });
});

it('keeps deliveries waiting while the service lacks the vendor credentials', async () => {
  await send({ dailies: [dailyOf(ada, 1, 1)] });
  const unconfigured = await startSecondService(fixture.service.database);
  try {
    expect(await joinReading(unconfigured.parts, fixture.reading.provider).readDeliveries()).toBe(0);
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    const signal = new AbortController().signal;
    const context = { signal, attempt: 1, log, touch: async () => {}, again: async () => true };
    await deliveryJob(unconfigured.parts.deliveries).run({ provider: 'garmin' }, context);
  } finally {
    await unconfigured.stop();
  }
  const { rows } = await fixture.pool.query('select state, attempts from webhook_delivery');
  expect(rows).toEqual([{ state: 'received', attempts: 0 }]);
  await fixture.settle();
  expect(await fixture.steps(ada)).toEqual([1]);
});
