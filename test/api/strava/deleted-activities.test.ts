import { MS_PER_HOUR } from '@healthd/model';
import { type StravaSimulator, startStravaSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConnectedUser, openVendorFixture, type VendorFixture } from '../../support/vendor-fixture.js';

const NOW_MS = Date.now();
const [RUN, RIDE] = [14_500_000_001, 14_500_000_002];
const SERIES = ['heart_rate', 'latitude', 'longitude'] as const;
let fixture: VendorFixture<StravaSimulator>;
let ada: ConnectedUser;
beforeAll(async () => {
  fixture = await openVendorFixture('strava', await startStravaSimulator({ autoConsent: true }), {
    values: { READ_STREAMS: 'true' },
  });
  await fixture.control.addAccount({ id: 'ada', userId: '30211177', timeZone: 'UTC' });
  const activity = (id: number, hoursAgo: number) => ({
    id,
    name: 'Evening',
    sport_type: id === RUN ? 'Run' : 'Ride',
    start_date: `${new Date(NOW_MS - hoursAgo * MS_PER_HOUR).toISOString().slice(0, 19)}Z`,
    utc_offset: 0,
    elapsed_time: 3_600,
    device_name: 'Edge 540',
  });
  const streams = (value: number) => ({
    time: [0, 60],
    heartrate: [value, value + 1],
    latlng: [[48 + value / 1_000, 11] as const, [48 + value / 1_000, 11.01] as const],
  });
  await fixture.control.put(
    'ada',
    { activities: [activity(RUN, 9), activity(RIDE, 5)], streams: { [RUN]: streams(150), [RIDE]: streams(120) } },
    { notify: false },
  );
  ada = await fixture.connect('ada');
  await fixture.reading.settle();
});
afterAll(() => fixture.close());

const path = (rest = '') => `/api/v1/users/${ada.userId}${rest}`;
/** Returns the values of each time series. */
async function values() {
  const types = SERIES.map((code) => `types=${code}`).join('&');
  const { body } = await fixture.call(
    'GET',
    path(`/timeseries?${types}&start_time=2020-01-01T00:00:00Z&end_time=2100-01-01T00:00:00Z`),
  );
  const of = (code: string) => body.data.filter(({ type }: { type: string }) => type === code);
  return SERIES.map((code) => of(code).map(({ value }: { value: number }) => value));
}
const workouts = async () => {
  const { body } = await fixture.call('GET', path('/events/workouts?start_date=2020-01-01&end_date=2100-01-01'));
  return body.data as { id: string; type: string }[];
};
const ofRide = [
  [120, 121],
  [48.12, 48.12],
  [11, 11.01],
];
const ofBoth = [
  [150, 151, 120, 121],
  [48.15, 48.15, 48.12, 48.12],
  [11, 11.01, 11, 11.01],
];

it("restores a deleted activity's route only with the activity", async () => {
  expect(await values()).toEqual(ofBoth);
  const run = (await workouts()).find(({ type }) => type === 'running');
  expect((await fixture.call('DELETE', path(`/events/workouts/${run?.id}`))).status).toBe(204);
  expect(await values()).toEqual(ofRide);
  expect(await fixture.pull(ada)).toMatchObject({ status: 'success' });
  expect([await workouts(), await values()]).toMatchObject([[{ type: 'cycling' }], ofRide]);

  expect((await fixture.call('POST', path(`/events/workouts/${run?.id}/restore`))).status).toBe(204);
  expect(await fixture.pull(ada)).toMatchObject({ status: 'success' });
  expect([(await workouts()).length, await values()]).toEqual([2, ofBoth]);
});

it('deletes the route of an activity deleted at the vendor', async () => {
  await fixture.control.remove('ada', RUN, { notify: false });
  expect(await fixture.pull(ada)).toMatchObject({ status: 'success' });
  expect([await workouts(), await values()]).toMatchObject([[{ type: 'cycling' }], ofRide]);
});
