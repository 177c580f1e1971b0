import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, type DeliveryFixture, daily, type GarminUser, openDeliveryFixture, today } from './delivery-fixture.js';

let fixture: DeliveryFixture;
let ada: GarminUser;
beforeEach(async () => {
  fixture = await openDeliveryFixture();
  ({ ada } = fixture);
  await fixture.control.setForms('ada', { delivery: 'ping', announcesFiles: false, repeatsRecorded: false });
});
afterEach(() => fixture.close());

const fetched = () => fixture.control.requests('/rest/dailies');
const pings = async (...days: object[]) => {
  await fixture.control.put('ada', { dailies: days as Record<string, unknown>[] });
  await fixture.control.flushPushes();
  await fixture.settle();
};
const lastRejections = async () => (await fixture.lastRun(ada)).metadata.data_types.dailies?.rejected_by_reason;

describe('a ping', () => {
  it("fetches the URL's data within a run of the user", async () => {
    await pings(daily(2, 4_000), daily(1, 5_000));
    expect(await fixture.steps()).toEqual([4_000, 5_000]);
    expect(await fetched()).toMatchObject([{ status: 200, account: 'ada' }]);
    expect(await fixture.lastRun(ada)).toMatchObject({
      status: 'success',
      metadata: { data_types: { dailies: { inserted: 2 } } },
    });
  });

  it('is fetched once for two users of its account', async () => {
    const other = await fixture.connect('ada');
    await pings(daily(1, 5_000));
    expect(await fixture.steps()).toEqual([5_000]);
    expect(await fixture.steps(other)).toEqual([5_000]);
    expect(await fetched()).toHaveLength(1);
  });

  it.each([
    ['another host', 'https://attacker.example/wellness-api/rest/dailies?token=t'],
    ['another port', 'http://127.0.0.1:1/wellness-api/rest/dailies?token=t'],
    ['another path', 'ORIGIN/partner-gateway/rest/user/id?token=t'],
    ['a request for history', 'ORIGIN/wellness-api/rest/backfill/dailies?token=t'],
    ['a path with parent segments', 'ORIGIN/wellness-api/rest/../../control/reset'],
    ['a relative URL', 'dailies'],
  ])('is reported as a rejected item if it names %s', async (_, address) => {
    await fixture.control.clearRequests();
    const callbackURL = address.replace('ORIGIN', fixture.simulator.urls.origin);
    expect(await fixture.send({ dailies: [{ userId: ada.account, callbackURL }] })).toBe(200);
    await fixture.settle();
    expect(await lastRejections()).toEqual({ 'not_given:foreign_address': 1 });
    expect(await fixture.control.requests()).toEqual([]);
  });

  it('is fetched again after 503 responses', async () => {
    await fixture.control.addFault({ kind: 'error', status: 503, path: '/rest/dailies', times: 3 });
    await pings(daily(1, 5_000));
    expect(await fixture.steps()).toEqual([]);
    await fixture.wait(120);
    await fixture.settle();
    expect(await fixture.steps()).toEqual([5_000]);
  });

  it('is fetched again after a 429 response', async () => {
    await fixture.control.addFault({ kind: 'error', status: 429, path: '/rest/dailies' });
    await pings(daily(1, 5_000));
    await fixture.wait(120);
    await fixture.settle();
    expect(await fixture.steps()).toEqual([5_000]);
  });

  it('is reported as a rejected item once its URL has expired', async () => {
    await fixture.control.put('ada', { dailies: [daily(1, 5_000)] });
    await fixture.control.flushPushes();
    await fixture.wait(DAY + 1);
    await fixture.settle();
    expect(await lastRejections()).toEqual({ 'not_given:gone': 1 });
  });

  it('waits for a pending consent', async () => {
    await fixture.control.addAccount({ id: 'ben' });
    await fixture.control.setForms('ben', { delivery: 'ping' });
    // Simulates a pending consent: the vendor has connected the user, but the service does not know the account yet.
    const before = await fixture.connect('ben');
    await fixture.control.put('ben', { dailies: [daily(1, 700)] });
    await fixture.pool.query(`update connection set provider_user_id = 'not known yet' where id = $1`, [
      before.connectionId,
    ]);
    await fixture.control.flushPushes();
    await fixture.settle();
    expect(await fixture.deliveries()).toEqual({ done: 1 });
    const ben = await fixture.connect('ben');
    await fixture.settle();
    expect(await fixture.steps(ben)).toEqual([700]);
  });
});

describe('the file of an activity', () => {
  const start = today - 2 * DAY;
  const seconds = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      startTimeInSeconds: start + at * 10,
      heartRate: 120 + at,
      powerInWatts: 200,
    }));
  const activity = {
    summaryId: '7',
    activityId: 7,
    activityType: 'RUNNING',
    startTimeInSeconds: start,
    durationInSeconds: 100,
    distanceInMeters: 900,
    deviceName: 'Forerunner 265',
  };
  const stored = async () =>
    (
      await fixture.pool.query(
        'select type, distance_meters, heart_rate_max, heart_rate_min from workout where user_key = $1',
        [ada.userKey],
      )
    ).rows;
  beforeEach(() => fixture.control.setForms('ada', { announcesFiles: true }));

  it('completes the workout of the activity with heart rates', async () => {
    await fixture.control.put('ada', { activities: [activity] });
    await fixture.control.flushPushes();
    await fixture.settle();
    expect(await stored()).toEqual([
      { type: 'running', distance_meters: 900, heart_rate_max: null, heart_rate_min: null },
    ]);
    // The vendor announces a file instead of delivering the details.
    const details = {
      summaryId: '7-detail',
      activityId: 7,
      summary: { startTimeInSeconds: start },
      samples: seconds(10),
    };
    await fixture.control.put('ada', { activityDetails: [details] });
    await fixture.control.flushPushes();
    await fixture.settle();
    expect(await stored()).toEqual([
      { type: 'running', distance_meters: 900, heart_rate_max: 129, heart_rate_min: 120 },
    ]);
    expect(await fixture.samples(ada.userKey, 'heart_rate')).toHaveLength(10);
    expect(await fixture.control.requests('/rest/activityFile')).toMatchObject([{ status: 200 }]);
  });

  it.each([[['activity', 'file', 'activity']], [['activity', 'file', 'file', 'activity', 'activity']]])(
    "keeps the file's data when %j arrive",
    async (order) => {
      const details = {
        summaryId: '7-detail',
        activityId: 7,
        summary: { startTimeInSeconds: start },
        samples: seconds(10),
      };
      for (const name of order) {
        await fixture.control.put('ada', name === 'file' ? { activityDetails: [details] } : { activities: [activity] });
        await fixture.control.flushPushes();
        await fixture.settle();
      }
      expect(await stored()).toEqual([
        { type: 'running', distance_meters: 900, heart_rate_max: 129, heart_rate_min: 120 },
      ]);
      expect(await fixture.samples(ada.userKey, 'heart_rate')).toHaveLength(10);
    },
  );

  it('creates no workout without the activity', async () => {
    const details = {
      summaryId: '8-detail',
      activityId: 8,
      summary: { startTimeInSeconds: start },
      samples: seconds(10),
    };
    await fixture.control.put('ada', { activityDetails: [details] });
    await fixture.control.flushPushes();
    await fixture.settle();
    expect(await stored()).toEqual([]);
    expect(await fixture.samples(ada.userKey, 'heart_rate')).toHaveLength(10);
  });
});
