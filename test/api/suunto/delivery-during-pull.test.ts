import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { type SuuntoSample, type SuuntoSimulator, type SuuntoWorkout, startSuuntoSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ConnectedUser, openVendorFixture, type VendorFixture } from '../../support/vendor-fixture.js';

const STATISTICS = '/247samples/daily-activity-statistics';
const UNBOUNDED = 1_000_000;
const BEDTIME_MS = Math.floor(Date.now() / MS_PER_DAY) * MS_PER_DAY - 2 * MS_PER_DAY;
const iso = (hours: number) => new Date(BEDTIME_MS + hours * MS_PER_HOUR).toISOString();
const NIGHT: SuuntoSample = {
  timestamp: iso(0),
  entryData: {
    SleepId: 1_746_302_340,
    BedtimeStart: iso(0),
    BedtimeEnd: iso(8),
    Duration: 28_800,
    DeepSleepDuration: 5_400,
    LightSleepDuration: 14_400,
    REMSleepDuration: 7_200,
    IsNap: false,
    SleepQualityScore: 79,
    HRMin: 46,
  },
};
const RUN: SuuntoWorkout = {
  workoutKey: '66a1f0c2d4b9e7735c1e0b42',
  activityId: 22,
  startTime: BEDTIME_MS + 10 * MS_PER_HOUR,
  totalTime: 3_725,
  totalDistance: 9_480,
};

let fixture: VendorFixture<SuuntoSimulator>;
let ada: ConnectedUser;
beforeAll(async () => {
  const limits = { perMinute: UNBOUNDED, perWeek: UNBOUNDED };
  fixture = await openVendorFixture('suunto', await startSuuntoSimulator({ autoConsent: true, limits }));
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await fixture.control.reset();
  await fixture.control.addAccount({ id: 'ada', timeZone: 'UTC' });
  ada = await fixture.connect('ada');
  await fixture.reading.settle();
  await fixture.control.setWebhook({ url: `${fixture.service.url}/api/v1/providers/suunto/webhooks` });
  await fixture.control.holdDeliveries(true);
  await fixture.control.clearRequests();
});

/** Delays the vendor's response to a sync until a concurrent push is stored. */
async function pullDuring(path: string, push: () => Promise<void>) {
  await fixture.control.addFault({ kind: 'held', path });
  const pulling = fixture.pull(ada);
  await expect.poll(async () => (await fixture.control.requests(path)).length).toBe(1);
  await push();
  expect((await fixture.control.flushDeliveries()).map(({ status }) => status)).toEqual([200]);
  expect(await fixture.reading.readDeliveries()).toBe(1);
  await fixture.control.releaseAnswers();
  return pulling;
}
const workouts = async ({ userKey }: ConnectedUser) =>
  (await fixture.pool.query('select external_id, distance_meters from workout where user_key = $1', [userKey])).rows;

it('keeps a pushed night that a concurrent sync does not return', async () => {
  const run = await pullDuring('/247samples/sleep', () => fixture.control.put('ada', { sleep: [NIGHT] }));
  expect(await fixture.nights(ada.userKey)).toMatchObject([{ external_id: '1746302340', asleep_seconds: 27_000 }]);
  expect(await fixture.samples(ada.userKey, 'resting_heart_rate')).toMatchObject([{ value: 46 }]);
  expect(await fixture.scores(ada.userKey)).toEqual([{ id: 'sleep/1746302340', value: 79 }]);
  expect(run).toMatchObject({ status: 'success' });
  expect(run?.metadata.data_types).toMatchObject({ sleep: { status: 'success', windows: 1, deleted: 0 } });
});

const INTERIM: SuuntoSample = { timestamp: NIGHT.timestamp, entryData: { SleepId: 0, Duration: 10_800, IsNap: true } };
/** Pushes samples that the vendor's lists do not have, and waits until the service has stored them. */
async function pushAlone(kind: 'SLEEP' | 'RECOVERY', sample: SuuntoSample) {
  const username = (await fixture.control.accounts())[0]?.userId;
  await fixture.control.sendEvent({ type: `SUUNTO_247_${kind}_CREATED`, username, samples: [sample] });
  await fixture.reading.settle();
}

it.each([
  ['empty lists', {}],
  ['lists that still have an interim version', { sleep: [INTERIM] }],
])('keeps a pushed night, score and recovery after %s', async (_, listed) => {
  await pushAlone('SLEEP', NIGHT);
  await pushAlone('RECOVERY', { timestamp: iso(9), entryData: { Balance: 0.7, StressState: 1 } });
  const before = await fixture.everything(ada.userKey);
  expect(before).toHaveLength(4);
  await fixture.control.put('ada', listed, { notify: false });
  await fixture.pull(ada);
  expect(await fixture.everything(ada.userKey)).toEqual(before);
});

it('keeps a night pushed with only Duration until the final version arrives', async () => {
  await pushAlone('SLEEP', { timestamp: iso(0), entryData: { Duration: 28_800 } });
  const [night] = await fixture.nights(ada.userKey);
  expect(night).toMatchObject({ asleep_seconds: null, end_at: new Date(iso(8)) });
  await pushAlone('SLEEP', NIGHT);
  expect(await fixture.nights(ada.userKey)).toMatchObject([{ external_id: '1746302340', asleep_seconds: 27_000 }]);
});

it('rereads only the window that a delivery made outdated', async () => {
  await pullDuring('/247samples/sleep', () => fixture.control.put('ada', { sleep: [NIGHT] }));
  const requestedPaths = (await fixture.control.requests()).map(({ path }) => path);
  expect(requestedPaths.filter((path) => path === '/247samples/sleep')).toHaveLength(2);
  expect(requestedPaths.filter((path) => path === '/247samples/recovery')).toHaveLength(1);
});

it('keeps a workout for each account user when pushed during a sync', async () => {
  const other = await fixture.connect('ada');
  await fixture.reading.settle();
  await fixture.control.clearRequests();
  await pullDuring('/v3/workouts/', () => fixture.control.put('ada', { workouts: [RUN] }));
  for (const user of [ada, other]) {
    expect(await workouts(user)).toEqual([{ external_id: RUN.workoutKey, distance_meters: 9_480 }]);
  }
});

it("applies a sync's deletion despite a concurrent push", async () => {
  const other = { ...RUN, workoutKey: 'f'.repeat(24), startTime: RUN.startTime + MS_PER_HOUR * 3 };
  await fixture.control.put('ada', { workouts: [RUN, other] }, { notify: false });
  await fixture.pull(ada);
  await fixture.control.clearRequests();
  await fixture.control.removeWorkout('ada', RUN.workoutKey);
  await pullDuring('/v3/workouts/', () => fixture.control.put('ada', { sleep: [NIGHT] }));
  expect(await workouts(ada)).toMatchObject([{ external_id: other.workoutKey }]);
  expect(await fixture.nights(ada.userKey)).toHaveLength(1);
});

it('does not reread a type that is never pushed', async () => {
  await pullDuring(STATISTICS, () => fixture.control.put('ada', { sleep: [NIGHT] }));
  expect(await fixture.control.requests(STATISTICS)).toHaveLength(1);
});

it('keeps pushed steps when a concurrent sync returns fewer steps', async () => {
  const tenMinutes = (steps: number) => ({ timestamp: iso(9), entryData: { StepCount: steps } });
  await fixture.control.put('ada', { activity: [tenMinutes(200)] }, { notify: false });
  await pullDuring('/247samples/activity', () => fixture.control.put('ada', { activity: [tenMinutes(500)] }));
  expect(await fixture.samples(ada.userKey, 'steps')).toMatchObject([{ value: 500 }]);
});

it('defers only a type with three outdated responses', async () => {
  await fixture.control.addFault({ kind: 'held', path: '/247samples/sleep', times: 3 });
  const pulling = fixture.pull(ada);
  for (const turn of [1, 2, 3]) {
    await expect.poll(async () => (await fixture.control.requests('/247samples/sleep')).length).toBe(turn);
    await fixture.control.put('ada', { sleep: [{ ...NIGHT, entryData: { ...NIGHT.entryData, HRMin: 40 + turn } }] });
    await fixture.control.flushDeliveries();
    await fixture.reading.readDeliveries();
    await fixture.control.releaseAnswers();
  }
  const postponed = await pulling;
  expect(postponed).toMatchObject({ status: 'in_progress', stage: 'started' });
  expect(await fixture.control.requests('/247samples/sleep')).toHaveLength(3);
  expect((await fixture.control.requests('/247samples/recovery')).length).toBeGreaterThan(0);
  await fixture.wait(6 * 60);
  await fixture.reading.settle();
  expect(await fixture.lastRun(ada)).toMatchObject({ status: 'success' });
  expect(await fixture.control.requests('/247samples/sleep')).toHaveLength(4);
  expect(await fixture.samples(ada.userKey, 'resting_heart_rate')).toMatchObject([{ value: 43 }]);
});
