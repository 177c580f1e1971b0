import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DeliveryFixture, daily, dailyOf, type GarminUser, openDeliveryFixture } from './delivery-fixture.js';
import type { ConnectedUser } from './garmin-fixture.js';

let fixture: DeliveryFixture;
let ada: GarminUser;
beforeEach(async () => {
  fixture = await openDeliveryFixture();
  ({ ada } = fixture);
});
afterEach(() => fixture.close());

describe('a delivery', () => {
  it('gets 200 before a run stores its data', async () => {
    expect(await fixture.send({ dailies: [dailyOf(ada, 1, 8_123)] })).toBe(200);
    expect(await fixture.steps()).toEqual([]);
    expect(await fixture.deliveries()).toEqual({ received: 1 });
    await fixture.settle();
    expect(await fixture.steps()).toEqual([8_123]);
    expect(await fixture.deliveries()).toEqual({ done: 1 });
    expect(await fixture.lastRun(ada)).toMatchObject({
      source: 'webhook',
      status: 'success',
      metadata: { data_types: { dailies: { status: 'success', inserted: 1 } } },
    });
    expect(await fixture.connection(ada)).toMatchObject({ status: 'active', last_synced_at: expect.any(String) });
  });

  it.each([
    ['of another application', { 'garmin-client-id': 'another application' }],
    ['without an application', { 'garmin-client-id': '' }],
  ])('%s gets 401 without being stored', async (_, headers) => {
    expect(await fixture.send({ dailies: [dailyOf(ada, 1, 1)] }, headers)).toBe(401);
    expect(await fixture.deliveries()).toEqual({});
  });

  it.each([
    ['cut off', '{"dailies":[{"userId":"x","st', 400],
    ['a list', '[]', 200],
    ['not JSON', 'hello', 200],
    ['empty', '', 400],
  ])('that is $0 is dropped with the status $2', async (_, body, status) => {
    expect(await fixture.control.sendBody(body)).toBe(status);
    expect(await fixture.deliveries()).toEqual({});
  });

  it('is read only if its gzip is intact', async () => {
    const packed = gzipSync(JSON.stringify({ dailies: [dailyOf(ada, 1, 5)] }));
    const post = (body: Buffer) =>
      fetch(fixture.address, {
        method: 'POST',
        headers: { 'garmin-client-id': fixture.simulator.client.id, 'content-encoding': 'gzip' },
        body: new Uint8Array(body),
      });
    expect((await post(packed)).status).toBe(200);
    expect((await post(packed.subarray(0, packed.length - 12))).status).toBe(400);
    expect((await post(Buffer.from('no gzip'))).status).toBe(400);
    await fixture.settle();
    expect(await fixture.steps()).toEqual([5]);
  });

  it('fails only its unreadable item', async () => {
    const odd = { ...daily(2, 1), startTimeInSeconds: 'soon' };
    const body = {
      dailies: [7, { ...daily(1, 1) }, { userId: ada.account, ...odd }, dailyOf(ada, 1, 9)],
      later: [{}],
    };
    expect(await fixture.send(body)).toBe(200);
    await fixture.settle();
    expect(await fixture.steps()).toEqual([9]);
    expect((await fixture.lastRun(ada)).metadata.data_types.dailies).toMatchObject({
      rejected: 1,
      rejected_by_reason: { invalid_date: 1 },
    });
  });

  it('with 120 large items of two users is stored completely', async () => {
    const ben = await fixture.addUser('ben');
    const heart = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [String(at * 15), 60 + (at % 50)]));
    const dailies = Array.from({ length: 120 }, (_, at) => ({
      userId: at % 2 === 0 ? ada.account : ben.account,
      ...daily(1 + Math.floor(at / 2), 1_000 + at),
      timeOffsetHeartRateSamples: heart,
    }));
    expect(await fixture.send({ dailies })).toBe(200);
    await fixture.settle();
    expect((await fixture.steps()).length).toBe(60);
    expect((await fixture.steps(ben)).length).toBe(60);
    expect((await fixture.samples(ben.userKey, 'heart_rate')).length).toBe(120_000);
    expect((await fixture.lastRun(ben)).metadata.data_types.dailies).toMatchObject({ received: 60 });
  });
});

describe('users', () => {
  it('drops the data of an unknown account with a 200', async () => {
    expect(await fixture.send({ dailies: [{ userId: 'a stranger', ...daily(1, 1) }] })).toBe(200);
    await fixture.settle();
    expect(await fixture.deliveries()).toEqual({ done: 1 });
    expect(await fixture.steps()).toEqual([]);
  });

  it('stores data of a pending consent after its completion', async () => {
    const { userId } = await fixture.control.addAccount({ id: 'ben' });
    await fixture.send({
      dailies: [dailyOf(ada, 1, 1), { userId, ...daily(1, 700) }],
    });
    await fixture.settle();
    const runs = (await fixture.reading.runsOf(ada.userKey)).length;
    const ben = await fixture.connect('ben');
    await fixture.settle();
    expect(await fixture.steps(ben)).toEqual([700]);
    expect((await fixture.reading.runsOf(ada.userKey)).length).toBe(runs);
  });

  it('reads data for a consent that completes during the read', async () => {
    const { userId } = await fixture.control.addAccount({ id: 'ben' });
    await fixture.send({
      dailies: [{ userId, ...daily(1, 700) }, dailyOf(ada, 1, 1)],
    });
    // The read has already found no user for the first item and waits to store the second item.
    const holder = await fixture.pool.connect();
    let ben: ConnectedUser;
    try {
      await holder.query('begin');
      await holder.query('select 1 from user_state where user_key = $1 for update', [ada.userKey]);
      const reading = fixture.reading.readDeliveries();
      await expect
        .poll(async () => {
          const { rows } = await fixture.pool.query(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          );
          return rows.length;
        })
        .toBe(1);
      ben = await fixture.connect('ben');
      await holder.query('commit');
      await reading;
    } finally {
      holder.release();
    }
    await fixture.settle();
    expect(await fixture.steps(ben)).toEqual([700]);
    expect(await fixture.steps()).toEqual([1]);
    expect(await fixture.deliveries()).toEqual({ done: 1 });
  });

  it('stores data for both users of a shared account', async () => {
    const other = await fixture.connect('ada');
    await fixture.send({ dailies: [dailyOf(ada, 1, 300)] });
    await fixture.settle();
    expect(await fixture.steps()).toEqual([300]);
    expect(await fixture.steps(other)).toEqual([300]);
  });

  it('stores data that arrived while the provider was disabled', async () => {
    const { uses } = fixture.reading.connections;
    await uses.change('garmin', { isEnabled: false });
    expect(await fixture.send({ dailies: [dailyOf(ada, 1, 44)] })).toBe(200);
    await fixture.settle();
    expect(await fixture.steps()).toEqual([]);
    await uses.change('garmin', { isEnabled: true });
    await fixture.settle();
    expect(await fixture.steps()).toEqual([44]);
  });
});
