import { type HealthRecord, SECONDS_PER_HOUR, type SleepSessionRecord } from '@healthd/model';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { run } from '../../../../test/support/records.js';

let fixture: RecordFixture;
let user: number;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
beforeEach(async () => {
  user = await fixture.newUser();
});
afterAll(() => fixture.close());

const write = (...records: HealthRecord[]) => fixture.write(user, ...records);
const stored = async (table: 'workout' | 'sleep_session') =>
  (await fixture.pool.query(`select * from ${table} where user_key = $1`, [user])).rows;

describe("the check of a vendor's night", () => {
  const night = (facts: Partial<SleepSessionRecord>): SleepSessionRecord => ({
    kind: 'sleep_session',
    source: { provider: 'oura' },
    externalId: 'n',
    offsetMinutes: 0,
    startMs: Date.parse('2026-03-10T00:00Z'),
    endMs: Date.parse('2026-03-10T06:00Z'),
    ...facts,
  });

  it.each([99_999, -600, Number.NaN])('omits %d s asleep in a night of six hours', async (asleepSeconds) => {
    await write(night({ asleepSeconds, inBedSeconds: 21_000, deepSeconds: -1, remSeconds: 3600 }));
    expect(await stored('sleep_session')).toMatchObject([
      { asleep_seconds: null, in_bed_seconds: 21_000, deep_seconds: null, rem_seconds: 3600, efficiency_percent: null },
    ]);
  });

  it('raises time in bed to the time asleep and awake', async () => {
    await write(night({ asleepSeconds: 20_000, inBedSeconds: 18_000, awakeSeconds: 600 }));
    expect(await stored('sleep_session')).toMatchObject([
      { asleep_seconds: 20_000, in_bed_seconds: 20_600, awake_seconds: 600 },
    ]);
    await write(night({ asleepSeconds: 21_000, inBedSeconds: 18_000, awakeSeconds: 1200 }));
    expect(await stored('sleep_session')).toMatchObject([{ in_bed_seconds: 6 * SECONDS_PER_HOUR }]);
  });

  it.each([
    ['keeps', 21_900, 21_900],
    ['keeps', 40_000, 40_000],
    ['omits', 200_000, null],
  ])('%s %d s in bed in a six-hour night', async (_, inBedSeconds, expected) => {
    await write(night({ asleepSeconds: 19_000, inBedSeconds, awakeSeconds: 1500 }));
    expect(await stored('sleep_session')).toMatchObject([
      { asleep_seconds: 19_000, in_bed_seconds: expected, awake_seconds: 1500 },
    ]);
  });

  it('counts a night with an impossible sleep time as time in bed', async () => {
    await write(night({ asleepSeconds: -600 }));
    expect(await stored('sleep_session')).toMatchObject([
      { asleep_seconds: null, in_bed_seconds: 6 * SECONDS_PER_HOUR, efficiency_percent: null },
    ]);
  });

  it("limits a slightly excessive time asleep to the night's length", async () => {
    await write(night({ asleepSeconds: 6 * SECONDS_PER_HOUR + 30.4 }));
    expect(await stored('sleep_session')).toMatchObject([
      { asleep_seconds: 6 * SECONDS_PER_HOUR, in_bed_seconds: null },
    ]);
  });
});

describe('the check of workout figures', () => {
  it('stores a workout without its impossible figures', async () => {
    const result = await write(
      run({
        externalId: 'w',
        distanceMeters: -5000,
        caloriesKcal: -3,
        heartRateAvg: 9999,
        heartRateMax: 170,
        elevationGainMeters: 1e9,
        stepsCount: 9000,
        maxSpeed: Number.NaN,
      }),
    );
    expect(result.workouts).toEqual({ inserted: 1, updated: 0, unchanged: 0 });
    expect(await stored('workout')).toMatchObject([
      {
        distance_meters: null,
        calories_kcal: null,
        heart_rate_avg: null,
        heart_rate_max: 170,
        elevation_gain_meters: null,
        steps_count: 9000,
        max_speed: null,
      },
    ]);
    expect(
      result.rejected.map(({ collection, index, field, code, detail }) => [collection, index, field, code, detail]),
    ).toEqual([
      ['workouts', 0, 'distance_meters', 'implausible', 'distance_other 0..1500000 meters'],
      ['workouts', 0, 'calories_kcal', 'implausible', 'energy 0..30000 kcal'],
      ['workouts', 0, 'heart_rate_avg', 'implausible', 'heart_rate 15..350 bpm'],
      ['workouts', 0, 'max_speed', 'value_not_finite', undefined],
      ['workouts', 0, 'elevation_gain_meters', 'implausible', '0..150000 m'],
    ]);
  });

  it('keeps the stored figure when a correction is impossible', async () => {
    await write(run({ externalId: 'w', distanceMeters: 10_000 }));
    await write(run({ externalId: 'w', distanceMeters: -1, caloriesKcal: 700 }));
    expect(await stored('workout')).toMatchObject([{ distance_meters: 10_000, calories_kcal: 700 }]);
  });

  it('allows amounts of several days for a race of several days', async () => {
    const race = run({
      distanceMeters: 4_000_000,
      startMs: Date.parse('2026-03-01T00:00Z'),
      endMs: Date.parse('2026-03-11T00:00Z'),
    });
    expect((await write(race)).rejected).toEqual([]);
    expect(await stored('workout')).toMatchObject([{ distance_meters: 4_000_000 }]);
  });

  it('does not reject heart rates of 0', async () => {
    expect((await write(run({ heartRateAvg: 0, heartRateMax: 0 }))).rejected).toEqual([]);
  });
});
