import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  DAY,
  type DeliveryFixture,
  daily,
  dailyOf,
  dateOf,
  type GarminUser,
  openDeliveryFixture,
  today,
} from './delivery-fixture.js';
import type { GarminFixture } from './garmin-fixture.js';

let fixture: DeliveryFixture;
let ada: GarminUser;
beforeEach(async () => {
  fixture = await openDeliveryFixture();
  ({ ada } = fixture);
});
afterEach(() => fixture.close());

const night = (summaryId: string, startHours: number, hours: number, validation: string) => ({
  summaryId,
  calendarDate: dateOf(today - DAY),
  startTimeInSeconds: today - DAY + startHours * 3_600,
  startTimeOffsetInSeconds: 0,
  durationInSeconds: hours * 3_600,
  deepSleepDurationInSeconds: 3_600,
  lightSleepDurationInSeconds: (hours - 1) * 3_600,
  validation,
});

describe('repeated, late and reordered deliveries', () => {
  it('store nothing twice', async () => {
    await fixture.control.put('ada', { dailies: [daily(1, 10)], sleeps: [night('n', 0, 7, 'ENHANCED_FINAL')] });
    await fixture.control.flushPushes({ twice: true });
    await fixture.settle();
    expect(await fixture.steps()).toEqual([10]);
    expect(await fixture.nights(ada.userKey)).toHaveLength(1);
  });

  it('keep the longest version of a growing day in any order', async () => {
    await fixture.send({ dailies: [dailyOf(ada, 1, 900)] });
    await fixture.send({ dailies: [dailyOf(ada, 1, 400, 40_000)] });
    await fixture.settle();
    expect(await fixture.steps()).toEqual([900]);
    expect((await fixture.lastRun(ada)).metadata.data_types.dailies).toMatchObject({ items: { superseded: 1 } });
    await fixture.send({ dailies: [dailyOf(ada, 1, 950)] });
    await fixture.settle();
    expect(await fixture.steps()).toEqual([950]);
  });

  it.each([
    ['in order', false],
    ['in the wrong order', true],
  ])("replace a night's tentative version with the final version, delivered %s", async (_, isReversed) => {
    const tentative = { sleeps: [{ userId: ada.account, ...night('t-1', 0, 6, 'ENHANCED_TENTATIVE') }] };
    const final = { sleeps: [{ userId: ada.account, ...night('f-2', -1, 8, 'ENHANCED_FINAL') }] };
    for (const body of isReversed ? [final, tentative] : [tentative, final]) await fixture.send(body);
    await fixture.settle();
    expect(await fixture.nights(ada.userKey)).toMatchObject([{ external_id: 'f-2', asleep_seconds: 8 * 3_600 }]);
  });

  it('keep the final version of a night if one body has both', async () => {
    const versions = [night('f-2', -1, 8, 'AUTO_FINAL'), night('t-1', 0, 6, 'AUTO_TENTATIVE')];
    await fixture.send({ sleeps: versions.map((one) => ({ userId: ada.account, ...one })) });
    await fixture.settle();
    expect(await fixture.nights(ada.userKey)).toMatchObject([{ external_id: 'f-2' }]);
  });

  it('create one workout if details arrive before their activity', async () => {
    const summary = {
      activityId: 77,
      activityType: 'RUNNING',
      startTimeInSeconds: today - 7_200,
      startTimeOffsetInSeconds: 0,
      durationInSeconds: 3_000,
      deviceName: 'Forerunner 265',
    };
    const details = {
      activityId: 77,
      summary,
      samples: [{ startTimeInSeconds: today - 7_000, heartRate: 120 }],
      laps: [{ startTimeInSeconds: today - 7_200 }],
    };
    await fixture.send({ activityDetails: [{ userId: ada.account, ...details }] });
    await fixture.send({ activities: [{ userId: ada.account, summaryId: '77', ...summary, distanceInMeters: 9_000 }] });
    await fixture.settle();
    expect(await fixture.workouts(ada.userKey)).toMatchObject([
      { external_id: '77', type: 'running', distance_meters: 9_000, events: [{ type: 'lap' }] },
    ]);
  });

  it("change an edited activity's workout in place", async () => {
    const run = { activityId: 78, startTimeInSeconds: today - 9_000, durationInSeconds: 600, deviceName: 'Fenix' };
    await fixture.send({ activities: [{ userId: ada.account, ...run, activityType: 'RUNNING' }] });
    await fixture.send({
      manuallyUpdatedActivities: [{ userId: ada.account, ...run, durationInSeconds: 900, activityType: 'HIKING' }],
    });
    await fixture.settle();
    const workouts = await fixture.workouts(ada.userKey);
    expect(workouts).toMatchObject([{ external_id: '78', type: 'hiking' }]);
    expect(workouts[0].end_at.getTime() - workouts[0].start_at.getTime()).toBe(900_000);
  });
});

it("stores the simulated vendor's month exactly, down to daily totals", async () => {
  await fixture.control.seedHistory('ada', { seed: 5, days: 30 });
  const held = await fixture.control.summaries('ada');
  for (const [key, list] of Object.entries(held)) expect(await fixture.send({ [key]: list ?? [] })).toBe(200);
  await fixture.settle();
  const truth = await fixture.control.truth('ada');
  const totals = async (code: Parameters<GarminFixture['samples']>[1]) =>
    (await fixture.samples(ada.userKey, code, 1)).map(({ atMs, value }) => [atMs, value]);
  const ofDays = (
    member: 'steps' | 'meters' | 'kilocalories' | 'basalKilocalories' | 'floors' | 'activeMinutes' | 'restingHeartRate',
  ) => truth.days.map((day) => [day.startMs, day[member]]);
  expect(await totals('steps')).toEqual(ofDays('steps'));
  expect(await totals('distance_walking_running')).toEqual(ofDays('meters'));
  expect(await totals('energy')).toEqual(ofDays('kilocalories'));
  expect(await totals('basal_energy')).toEqual(ofDays('basalKilocalories'));
  expect(await totals('flights_climbed')).toEqual(ofDays('floors'));
  expect(await totals('active_time')).toEqual(ofDays('activeMinutes'));
  expect(await totals('resting_heart_rate')).toEqual(ofDays('restingHeartRate'));
  const epochs = await fixture.samples(ada.userKey, 'steps', 0);
  expect(epochs.reduce((sum, { value }) => sum + value, 0)).toBe(truth.epochSteps);
  const sleep = await fixture.nights(ada.userKey);
  expect(
    sleep
      .filter(({ is_nap }) => !is_nap)
      .map((row) => [row.start_at.getTime(), row.end_at.getTime(), row.asleep_seconds / 60, row.awake_seconds / 60]),
  ).toEqual(truth.nights.map((one) => [one.startMs, one.endMs, one.asleepMinutes, one.awakeMinutes]));
  expect(sleep.filter(({ is_nap }) => is_nap).map((row) => [row.start_at.getTime(), row.end_at.getTime()])).toEqual(
    truth.naps.map((one) => [one.startMs, one.endMs]),
  );
  expect(
    (await fixture.workouts(ada.userKey)).map((row) => [
      row.external_id,
      row.start_at.getTime(),
      row.end_at.getTime(),
      row.distance_meters,
      row.calories_kcal,
      row.user_entered === true,
      row.events?.length ?? 0,
    ]),
  ).toEqual(
    truth.activities.map((one) => [
      one.id,
      one.startMs,
      one.endMs,
      one.meters,
      one.kilocalories,
      one.isManual,
      one.laps,
    ]),
  );
  const scores = new Map((await fixture.scores(ada.userKey)).map(({ id, value }) => [id, value]));
  for (const { date: day, stress, bodyBattery } of truth.days) {
    expect(scores.get(`stress/${day}`)).toBe(stress);
    expect(scores.get(`body_battery/${day}`)).toBe(bodyBattery);
  }
  expect([...scores].filter(([id]) => id.startsWith('sleep/')).map(([, value]) => value)).toEqual(
    truth.nights.map(({ score }) => score),
  );
  expect(await fixture.samples(ada.userKey, 'heart_rate_variability_rmssd', 2)).toEqual(truth.nightlyRmssd);
  expect(await fixture.samples(ada.userKey, 'weight')).toEqual(truth.weights);
});
