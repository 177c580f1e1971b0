import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConnectedUser, type GarminFixture, openGarminFixture } from './garmin-fixture.js';

let fixture: GarminFixture;
beforeAll(async () => {
  fixture = await openGarminFixture();
  await fixture.control.setPushTarget({ url: fixture.address, deliveries: 'held' });
});
afterAll(() => fixture.close());

type Row = Record<string, unknown>;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const WIDE = `start_date=${dayOf(Date.now() - 400 * MS_PER_DAY)}&end_date=${dayOf(Date.now() + 2 * MS_PER_DAY)}&limit=100`;
const read = async ({ userId }: ConnectedUser, path: string): Promise<Row[]> =>
  (await fixture.call('GET', `/api/v1/users/${userId}${path}${path.includes('?') ? '&' : '?'}${WIDE}`)).body.data;

async function userWith(id: string, summaries: Record<string, Row[]>, timeZone = 'UTC'): Promise<ConnectedUser> {
  const { userId: account } = await fixture.control.addAccount({ id, timeZone });
  const user = await fixture.connect(id);
  for (const [key, items] of Object.entries(summaries)) {
    const body = { [key]: items.map((item) => ({ userId: account, ...item })) };
    expect(await fixture.control.sendBody(JSON.stringify(body))).toBe(200);
  }
  await fixture.reading.settle();
  return user;
}

it('shows nightly recovery of a Garmin-only user without computing a score', async () => {
  await fixture.control.addAccount({ id: 'alone', timeZone: 'America/Los_Angeles' });
  const alone = await fixture.connect('alone');
  await fixture.control.seedHistory('alone', { seed: 8, days: 12 });
  const held = await fixture.control.summaries('alone');
  for (const [key, items] of Object.entries(held)) {
    expect(await fixture.control.sendBody(JSON.stringify({ [key]: items }))).toBe(200);
  }
  await fixture.reading.settle();
  const { nights, days, nightlyRmssd } = await fixture.control.truth('alone');
  const rows = await read(alone, '/summaries/recovery');
  const ofNights = rows.filter(({ sleep_duration_seconds: slept }) => slept !== null);
  expect(ofNights.map(({ sleep_duration_seconds: slept }) => slept)).toEqual(
    nights.map(({ asleepMinutes }) => asleepMinutes * 60),
  );
  expect(ofNights.map(({ avg_hrv_rmssd_ms: value }) => value)).toEqual(nightlyRmssd.map(({ value }) => value));
  const resting = new Map(days.map(({ date, restingHeartRate }) => [date, restingHeartRate]));
  expect(held.healthSnapshot?.length).toBeGreaterThan(0);
  for (const row of ofNights) {
    expect(row).toMatchObject({ recovery_score: null, source: { provider: 'garmin' } });
    // Garmin takes snapshots during the day, so no night includes their SDNN.
    expect(row.avg_hrv_sdnn_ms).toBeNull();
    expect(row.resting_heart_rate_bpm).toBe(resting.get(String(row.date)));
  }
  const scores = await read(alone, '/health-scores');
  expect(new Set(scores.map(({ category }) => category))).toEqual(new Set(['sleep', 'stress', 'body_battery']));
  expect(new Set(scores.map(({ provider }) => provider))).toEqual(new Set(['garmin']));
});

it("never stores a snapshot's SDNN as RMSSD", async () => {
  const startTimeInSeconds = Math.floor(Date.now() / 1_000) - 40_000;
  const summaries = [{ summaryType: 'sdrr_hrv', avgValue: 55 }];
  const snapshot = {
    summaryId: 'h',
    startTimeInSeconds,
    durationInSeconds: 120,
    offsetStartTimeInSeconds: 0,
    summaries,
  };
  const { userKey } = await userWith('sdnn', { healthSnapshot: [snapshot] });
  expect(await fixture.samples(userKey, 'heart_rate_variability_sdnn')).toMatchObject([{ value: 55 }]);
  expect(await fixture.samples(userKey, 'heart_rate_variability_rmssd')).toEqual([]);
});

it("returns the vendor's latest version of a cycle and a pregnancy", async () => {
  const at = Math.floor(Date.now() / 1_000) - 3_600;
  const day = (back: number) => dayOf(Date.now() - back * MS_PER_DAY);
  const cycle = {
    summaryId: 'c',
    periodStartDate: day(60),
    cycleLength: 28,
    periodLength: 5,
    currentPhaseType: 'FOLLICULAR',
  };
  const pregnancySnapshot = { pregnancyCycleStartDate: day(20), dueDate: dayOf(Date.now() + 250 * MS_PER_DAY) };
  const eve = await userWith('eve', {
    mct: [
      { ...cycle, dayInCycle: 12, lastUpdatedTimeInSeconds: at },
      { ...cycle, dayInCycle: 11, lastUpdatedTimeInSeconds: at - 86_400 },
      { summaryId: 'p', pregnancySnapshot, lastUpdatedTimeInSeconds: at },
    ],
  });
  const cycles = await read(eve, '/events/menstrual-cycles');
  expect(cycles.toSorted((a, b) => String(a.start_time).localeCompare(String(b.start_time)))).toMatchObject([
    {
      day_in_cycle: 12,
      cycle_length: 28,
      period_length: 5,
      current_phase_type: 'FOLLICULAR',
      pregnancy_snapshot: null,
    },
    { pregnancy_snapshot: [pregnancySnapshot] },
  ]);
});

it('stores an activity with its laps and its route', async () => {
  const startTimeInSeconds = Math.floor(Date.now() / 1_000) - 90_000;
  const summary = { activityType: 'RUNNING', startTimeInSeconds, durationInSeconds: 900, deviceName: 'Fenix' };
  const way = [50.06, 50.061, 50.062].map((latitudeInDegree, at) => ({
    startTimeInSeconds: startTimeInSeconds + at * 300,
    latitudeInDegree,
    longitudeInDegree: 19.94,
    elevationInMeters: 212 + at,
  }));
  const laps = [{ startTimeInSeconds }, { startTimeInSeconds: startTimeInSeconds + 600 }];
  const runner = await userWith('runner', { activityDetails: [{ activityId: 5, summary, samples: way, laps }] });
  const [workout] = await read(runner, '/events/workouts');
  const { body } = await fixture.call('GET', `/api/v1/users/${runner.userId}/events/workouts/${workout?.id}`);
  expect(body.events).toMatchObject([
    { type: 'lap', duration_seconds: 600 },
    { type: 'lap', duration_seconds: 300 },
  ]);
  const values = async (code: 'latitude' | 'longitude' | 'elevation') =>
    (await fixture.samples(runner.userKey, code)).map(({ value }) => value);
  expect(await values('latitude')).toEqual([50.06, 50.061, 50.062]);
  expect(await values('longitude')).toEqual([19.94, 19.94, 19.94]);
  expect(await values('elevation')).toEqual([212, 213, 214]);
});

it("keeps the local time and date of a traveler's items", async () => {
  const midnight = (back: number) => (Math.floor(Date.now() / MS_PER_DAY) - back) * MS_PER_DAY;
  const night = (date: string, startMs: number, offsetHours: number) => ({
    summaryId: `n ${date}`,
    calendarDate: date,
    startTimeInSeconds: startMs / 1_000,
    startTimeOffsetInSeconds: offsetHours * 3_600,
    durationInSeconds: 7 * 3_600,
    lightSleepDurationInSeconds: 7 * 3_600,
    validation: 'ENHANCED_FINAL',
  });
  const daily = (date: string, startMs: number, offsetHours: number, steps: number) => ({
    calendarDate: date,
    startTimeInSeconds: startMs / 1_000,
    startTimeOffsetInSeconds: offsetHours * 3_600,
    durationInSeconds: 86_400,
    steps,
  });
  const [tokyo, losAngeles] = [9, -8];
  const [first, second] = [dayOf(midnight(6)), dayOf(midnight(5))];
  const atLocal = (back: number, hour: number, offset: number) => midnight(back) + (hour - offset) * MS_PER_HOUR;
  const traveller = await userWith('traveller', {
    dailies: [
      daily(first, atLocal(6, 0, tokyo), tokyo, 1_000),
      daily(second, atLocal(5, 0, losAngeles), losAngeles, 2_000),
    ],
    sleeps: [night(first, atLocal(6, 0, tokyo), tokyo), night(second, atLocal(5, 0, losAngeles), losAngeles)],
  });
  const activity = await read(traveller, '/summaries/activity');
  expect(activity.map(({ date, steps }) => [date, steps])).toEqual([
    [first, 1_000],
    [second, 2_000],
  ]);
  const sleep = await read(traveller, '/summaries/sleep');
  expect(sleep.map(({ date, zone_offset: offset }) => [date, offset])).toEqual([
    [first, '+09:00'],
    [second, '-08:00'],
  ]);
});

it("responds 501 for Garmin workouts in the vendor's format", async () => {
  const ada = await userWith('no reading', {});
  for (const path of ['workouts', 'workouts/5']) {
    expect(await fixture.call('GET', `/api/v1/providers/garmin/users/${ada.userId}/${path}`)).toMatchObject({
      status: 501,
    });
  }
});
