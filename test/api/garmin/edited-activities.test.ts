import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY, type DeliveryFixture, type GarminUser, openDeliveryFixture, today } from './delivery-fixture.js';

let fixture: DeliveryFixture;
beforeAll(async () => {
  fixture = await openDeliveryFixture();
});
afterAll(() => fixture.close());

const start = today - 2 * DAY;
const recorded = {
  startTimeInSeconds: start,
  durationInSeconds: 2_700,
  distanceInMeters: 8_000,
  deviceName: 'Forerunner 265',
};
const ran = {
  ...recorded,
  activityType: 'RUNNING',
  activityName: 'Morning run',
  averageHeartRateInBeatsPerMinute: 148,
};
const walked = { ...recorded, activityType: 'WALKING', activityName: 'Walk', distanceInMeters: 5_000 };
const second = { startTimeInSeconds: start, heartRate: 97 };

/** Returns everything that the vendor delivers about one activity, each item in a separate body. */
const bodiesOf = ({ account: userId }: GarminUser) => {
  const item = { userId, summaryId: '7', activityId: 7 };
  return {
    activity: { activities: [{ ...item, ...ran }] },
    details: { activityDetails: [{ ...item, summaryId: '7-detail', summary: ran, samples: [second] }] },
    edit: { manuallyUpdatedActivities: [{ ...item, ...walked, manual: false }] },
  };
};
type Body = keyof ReturnType<typeof bodiesOf>;

const storedOf = async ({ userKey }: GarminUser) => {
  const { rows } = await fixture.pool.query(
    `select type, name, distance_meters, heart_rate_avg, heart_rate_min from workout where user_key = $1`,
    [userKey],
  );
  return rows;
};

it.each<Body[][]>([
  [['edit', 'activity', 'details']],
  [['activity', 'details', 'edit']],
  [['details', 'edit', 'activity']],
  [['activity', 'edit', 'details', 'activity', 'details']],
  [['edit', 'details', 'edit', 'activity']],
])('keeps the edit of an activity when %j arrive', async (order) => {
  const user = await fixture.addUser(order.join(' '));
  const bodies = bodiesOf(user);
  for (const name of order) {
    expect(await fixture.send(bodies[name])).toBe(200);
    await fixture.settle();
  }
  expect(await storedOf(user)).toEqual([
    // The stored workout keeps the edit and has the values that only the recorded versions contain.
    { type: 'walking', name: 'Walk', distance_meters: 5_000, heart_rate_avg: 148, heart_rate_min: 97 },
  ]);
  expect(await fixture.samples(user.userKey, 'heart_rate')).toHaveLength(1);
});

it('keeps the edit when all versions arrive in one body', async () => {
  const user = await fixture.addUser('one body');
  const { activity, details, edit } = bodiesOf(user);
  await fixture.send({ ...activity, ...edit, ...details });
  await fixture.settle();
  expect(await storedOf(user)).toMatchObject([{ type: 'walking', distance_meters: 5_000, heart_rate_min: 97 }]);
});
