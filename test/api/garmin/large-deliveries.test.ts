import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { interruptedAfter } from '../../support/interrupted-signal.js';
import {
  DAY,
  type DeliveryFixture,
  daily,
  dailyOf,
  type GarminUser,
  openDeliveryFixture,
  today,
} from './delivery-fixture.js';

let fixture: DeliveryFixture;
let ada: GarminUser;
beforeEach(async () => {
  fixture = await openDeliveryFixture();
  ({ ada } = fixture);
});
afterEach(() => fixture.close());

it('stores and counts a delivery once despite repeated interruptions', async () => {
  const heart = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [String(at * 15), 60 + (at % 50)]));
  const dailies = Array.from({ length: 150 }, (_, at) => ({
    userId: ada.account,
    ...daily(1 + at, 1_000 + at),
    timeOffsetHeartRateSamples: heart,
  }));
  expect(await fixture.send({ dailies })).toBe(200);
  let interrupted = 0;
  for (const items of [1, 70, 80, 120, 149]) {
    await fixture.reading.readDeliveries(interruptedAfter(items)).catch(() => {
      interrupted += 1;
    });
    expect(await fixture.deliveries()).toEqual({ received: 1 });
  }
  expect(interrupted).toBe(5);
  // Only a part of the delivery is stored at this point.
  const before = (await fixture.steps()).length;
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(150);
  await fixture.settle();
  expect((await fixture.steps()).length).toBe(150);
  expect((await fixture.samples(ada.userKey, 'heart_rate')).length).toBe(300_000);
  const runs = (await fixture.reading.runsOf(ada.userKey)).filter(({ source }) => source === 'webhook');
  expect(runs).toMatchObject([{ status: 'success', metadata: { data_types: { dailies: { received: 150 } } } }]);
});

describe('a large item', () => {
  const start = today - 2 * DAY;
  const seconds = Array.from({ length: 3_000 }, (_, at) => ({
    startTimeInSeconds: start + at,
    heartRate: 100 + (at % 70),
    powerInWatts: at % 400,
    elevationInMeters: 200 + (at % 90),
    movingDurationInSeconds: at,
    note: 'x'.repeat(400),
  }));
  const summary = {
    activityType: 'CYCLING',
    startTimeInSeconds: start,
    startTimeOffsetInSeconds: 0,
    durationInSeconds: 3_000,
    deviceName: 'Edge',
  };
  const large = () => ({
    samples: seconds,
    activityId: 9,
    summary,
    laps: [{ startTimeInSeconds: start }],
    userId: ada.account,
  });

  it('of an activity is stored and counted once despite repeated interruptions', async () => {
    expect(JSON.stringify(large()).length).toBeGreaterThan(1_400_000);
    await fixture.send({ activityDetails: [large()], dailies: [dailyOf(ada, 1, 5)] });
    for (const times of [3, 6]) await fixture.reading.readDeliveries(interruptedAfter(times)).catch(() => {});
    expect(await fixture.deliveries()).toEqual({ received: 1 });
    await fixture.settle();
    expect((await fixture.samples(ada.userKey, 'heart_rate')).length).toBe(3_000);
    expect((await fixture.samples(ada.userKey, 'power')).map(({ value }) => value)).toEqual(
      seconds.map(({ powerInWatts }) => powerInWatts),
    );
    expect(await fixture.steps()).toEqual([5]);
    const { rows } = await fixture.pool.query(
      `select external_id, heart_rate_min, average_watts, max_watts, elevation_low_meters, elevation_high_meters,
              moving_seconds, jsonb_array_length(events) as laps from workout`,
    );
    const mean = seconds.reduce((sum, { powerInWatts }) => sum + powerInWatts, 0) / seconds.length;
    expect(rows).toEqual([
      {
        external_id: '9',
        heart_rate_min: 100,
        average_watts: expect.closeTo(mean, 1),
        max_watts: 399,
        elevation_low_meters: 200,
        elevation_high_meters: 289,
        moving_seconds: 2_999,
        laps: 1,
      },
    ]);
    expect((await fixture.lastRun(ada)).metadata.data_types).toMatchObject({
      activityDetails: { status: 'success', received: 1, rejected: 0 },
      dailies: { received: 1 },
    });
  });

  it('is the only rejected item if a split is impossible', async () => {
    const odd = { userId: ada.account, ...daily(2, 1), note: 'x'.repeat(700_000) };
    await fixture.send({ dailies: [odd, dailyOf(ada, 1, 5)] });
    await fixture.settle();
    expect(await fixture.steps()).toEqual([5]);
    expect((await fixture.lastRun(ada)).metadata.data_types.dailies).toMatchObject({
      received: 2,
      rejected_by_reason: { item_too_large: 1 },
    });
  });
});
