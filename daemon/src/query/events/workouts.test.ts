import { type HealthRecord, MS_PER_DAY, MS_PER_HOUR, type WorkoutRecord } from '@healthd/model';
import { parseMoment } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { recordedUser } from '../../../../test/support/recorded-user.js';
import { GARMIN, PHONE, sample, WATCH } from '../../../../test/support/records.js';
import { readWorkout } from './workout-detail.js';
import { readWorkouts, type WorkoutsParams } from './workouts.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => database.drop());

const at = (time: string) => Date.parse(`2026-03-10T${time}Z`);

function workout(start: string, end: string, facts: Partial<WorkoutRecord> = {}): WorkoutRecord {
  return { kind: 'workout', source: WATCH, type: 'running', startMs: at(start), endMs: at(end), ...facts };
}

async function userWith(...records: HealthRecord[]): Promise<number> {
  return (await recordedUser(database, ...records)).userKey;
}

function workouts(userKey: number, more: Partial<WorkoutsParams> = {}) {
  const [start, end] = [parseMoment('2026-03-10'), parseMoment('2026-03-11')];
  if (!start || !end) throw new Error('unreadable test bound');
  return readWorkouts(database, userKey, { start, end, limit: 50, ...more });
}

describe('reading a workout', () => {
  it('shows measured figures with a pace computed from the moving time', async () => {
    const user = await userWith(
      workout('06:05', '07:11:20', {
        type: 'trail_running',
        offsetMinutes: 60,
        durationSeconds: 3979.5,
        movingSeconds: 3900,
        distanceMeters: 10_000,
        caloriesKcal: 734,
        heartRateAvg: 102.5,
        heartRateMax: 177,
        elevationGainMeters: 318,
      }),
    );
    const { data, pagination } = await workouts(user);
    expect(pagination.total_count).toBe(1);
    expect(data[0]).toMatchObject({
      type: 'trail_running',
      start_time: '2026-03-10T06:05:00Z',
      end_time: '2026-03-10T07:11:20Z',
      zone_offset: '+01:00',
      duration_seconds: 3980,
      calories_kcal: 734,
      distance_meters: 10_000,
      avg_heart_rate_bpm: 103,
      max_heart_rate_bpm: 177,
      avg_pace_sec_per_km: 390,
      elevation_gain_meters: 318,
      source: { provider: 'apple', device: 'Watch6,2' },
    });
  });

  it('shows further figures in list and detail, or null if unknown', async () => {
    const user = await userWith(
      workout('06:00', '07:00', {
        movingSeconds: 3_500.4,
        stepsCount: 9_000,
        heartRateMin: 71.6,
        averageSpeed: 2.8,
        maxSpeed: 4.1,
        averageCadence: 168,
        averageWatts: 210,
        maxWatts: 480,
        elevationLowMeters: 12,
        elevationHighMeters: 340,
        userEntered: true,
        metadata: { intensity: 'hard' },
      }),
      workout('09:00', '10:00'),
    );
    const { data } = await workouts(user);
    const names = {
      intensity: 'hard',
      entry_source: 'manual',
      heart_rate_min: 72,
      steps_count: 9_000,
      average_speed: 2.8,
      max_speed: 4.1,
      average_cadence: 168,
      average_watts: 210,
      max_watts: 480,
      moving_time_seconds: 3_500,
      elev_high: 340,
      elev_low: 12,
    };
    const unknown = Object.fromEntries(Object.keys(names).map((name) => [name, null]));
    expect(data.toSorted((one, other) => one.start_time.localeCompare(other.start_time))).toMatchObject([
      names,
      unknown,
    ]);
    const [known] = data.filter(({ intensity }) => intensity === 'hard');
    expect(await readWorkout(database.pool, user, known?.id ?? '')).toMatchObject(names);
  });

  it("computes missing heart rates from readings of the workout's source", async () => {
    const user = await userWith(
      workout('08:00', '09:00'),
      sample('heart_rate', '2026-03-10T07:59:59Z', 60),
      sample('heart_rate', '2026-03-10T08:00:00Z', 100),
      sample('heart_rate', '2026-03-10T08:30:00Z', 141),
      sample('heart_rate', '2026-03-10T08:30:00Z', 200, { source: PHONE }),
      sample('heart_rate', '2026-03-10T09:00:00Z', 200),
    );
    expect((await workouts(user)).data[0]).toMatchObject({ avg_heart_rate_bpm: 121, max_heart_rate_bpm: 141 });
  });

  it.each([
    ['maximum', { heartRateAvg: 110 }, { avg_heart_rate_bpm: 110, max_heart_rate_bpm: 141 }],
    ['mean', { heartRateMax: 150 }, { avg_heart_rate_bpm: 121, max_heart_rate_bpm: 150 }],
  ])('computes only the missing %s from readings', async (_, facts, shown) => {
    const user = await userWith(
      workout('08:00', '09:00', facts),
      sample('heart_rate', '2026-03-10T08:00:00Z', 100),
      sample('heart_rate', '2026-03-10T08:30:00Z', 141),
    );
    expect((await workouts(user)).data[0]).toMatchObject(shown);
  });

  it('shows total energy as calories if active energy is missing', async () => {
    const user = await userWith(workout('08:00', '09:00', { totalCaloriesKcal: 348.5 }));
    const shown = { calories_kcal: 348.5, total_calories_kcal: 348.5 };
    const [listed] = (await workouts(user)).data;
    expect(listed).toMatchObject(shown);
    expect(await readWorkout(database.pool, user, listed?.id ?? '')).toMatchObject(shown);
  });

  it('derives missing active energy but not missing total energy', async () => {
    const user = await userWith(
      workout('08:00', '09:00', { caloriesKcal: 300, totalCaloriesKcal: 370 }),
      workout('10:00', '11:00', { caloriesKcal: 200 }),
      workout('12:00', '13:00', { basalCaloriesKcal: 70, totalCaloriesKcal: 370 }),
    );
    const energies = (await workouts(user)).data.map((one) => [one.calories_kcal, one.total_calories_kcal]);
    expect(energies).toEqual([
      [300, 370],
      [200, null],
      [300, 370],
    ]);
  });

  it('distinguishes zero from unknown', async () => {
    const user = await userWith(workout('08:00', '09:00', { distanceMeters: 0, caloriesKcal: 0 }));
    expect((await workouts(user)).data[0]).toMatchObject({
      distance_meters: 0,
      calories_kcal: 0,
      elevation_gain_meters: null,
      avg_heart_rate_bpm: null,
      avg_pace_sec_per_km: null,
      duration_seconds: 3600,
    });
  });
});

describe('a list of workouts', () => {
  it('lists workouts that start in the range, newest first', async () => {
    const user = await userWith(
      { ...workout('00:00', '01:00'), startMs: at('00:00') - 1, endMs: at('01:00') },
      workout('00:00', '01:00'),
      { ...workout('23:59:59', '23:59:59'), endMs: at('23:59:59') + MS_PER_HOUR },
      { ...workout('23:59:59', '23:59:59'), startMs: at('00:00') + MS_PER_DAY, endMs: at('00:00') + 90_000_000 },
    );
    expect((await workouts(user)).data.map(({ start_time }) => start_time)).toEqual([
      '2026-03-10T23:59:59Z',
      '2026-03-10T00:00:00Z',
    ]);
  });

  it.each([
    ['running', ['trail_running', 'running']],
    ['RUN', ['trail_running', 'running']],
    ['trail_running', ['trail_running']],
    ['trail%', []],
    ['trail_r%', []],
    ['oga', ['yoga']],
    ['___', []],
  ])('filtered by %s contains %j', async (recordType, types) => {
    const user = await userWith(
      workout('08:00', '09:00', { type: 'running' }),
      workout('10:00', '11:00', { type: 'trail_running' }),
      workout('12:00', '13:00', { type: 'yoga' }),
    );
    const { data, pagination } = await workouts(user, { recordType });
    expect(data.map(({ type }) => type)).toEqual(types);
    expect(pagination.total_count).toBe(types.length);
  });

  it('pages in both directions with equal starts', async () => {
    const user = await userWith(
      ...['08:00', '10:00', '12:00'].flatMap((time) =>
        [WATCH, PHONE].map((source) => ({ ...workout(time, time, { source }), endMs: at(time) + 1_800_000 })),
      ),
    );
    const page = (more: Partial<WorkoutsParams> = {}) => workouts(user, more);
    const all = (await page()).data;
    const first = await page({ limit: 3 });
    const second = await page({ limit: 3, cursor: first.pagination.next_cursor ?? '' });
    expect([...first.data, ...second.data]).toEqual(all);
    expect(second.pagination).toMatchObject({ has_more: false, next_cursor: null, total_count: 6 });
    const back = await page({ limit: 3, cursor: second.pagination.previous_cursor ?? '' });
    expect(back.data).toEqual(first.data);
    expect(back.pagination.next_cursor).toBe(first.pagination.next_cursor);
  });
});

describe('listing each workout of several sources once', () => {
  const best = (user: number, more: Partial<WorkoutsParams> = {}) =>
    workouts(user, { filterByPriority: true, ...more });
  const mirrored = (start: string, end: string, facts: Partial<WorkoutRecord> = {}) =>
    workout(start, end, { source: GARMIN, ...facts });
  const LYRA = { ...GARMIN, deviceModel: 'Lyra' } as const;

  it.each([
    ['with the same times', mirrored('08:00', '09:00'), 1],
    ['as another type of the same family', mirrored('08:00', '09:00', { type: 'trail_running' }), 1],
    ['as a type of another family', mirrored('08:00', '09:00', { type: 'cycling' }), 2],
    ['as a generic type', mirrored('08:00', '09:00', { type: 'other' }), 1],
    ['half as long, within the other workout', mirrored('08:20', '08:50'), 1],
    ['with four fifths of its time in common', mirrored('08:12', '09:12'), 1],
    ['with less than four fifths of its time in common', mirrored('08:13', '09:13'), 2],
    ['twice by the same source', workout('08:01', '09:00'), 2],
    ['earlier on the same day, without overlap', mirrored('06:00', '07:00'), 2],
  ])('shows one row per actual workout: %s', async (_, other, shown) => {
    const user = await userWith(run(), other);
    const { data, pagination } = await best(user);
    expect(data).toHaveLength(shown);
    expect(pagination.total_count).toBe(shown);
    expect((await workouts(user)).data).toHaveLength(2);
  });

  it('shows the best source without figures of other sources', async () => {
    const user = await userWith(run(), mirrored('08:00', '09:00', { distanceMeters: 10_000 }));
    expect((await best(user)).data).toMatchObject([{ source: { device: 'Watch6,2' }, distance_meters: null }]);
  });

  it('counts each workout once across pages', async () => {
    const times = ['08:00', '10:00', '12:00'];
    const user = await userWith(
      ...times.flatMap((time) =>
        [PHONE, GARMIN, WATCH].map((source) => ({ ...workout(time, time, { source }), endMs: at(time) + 1_800_000 })),
      ),
    );
    const first = await best(user, { limit: 2 });
    const second = await best(user, { limit: 2, cursor: first.pagination.next_cursor ?? '' });
    expect([...first.data, ...second.data].map(({ source }) => source.device)).toEqual(Array(3).fill('Watch6,2'));
    expect(second.pagination).toMatchObject({ has_more: false, total_count: 3 });
    const back = await best(user, { limit: 2, cursor: second.pagination.previous_cursor ?? '' });
    expect(back.data).toEqual(first.data);
  });

  it('rejects a cursor of the list with all sources', async () => {
    const user = await userWith(run(), workout('10:00', '11:00'));
    const { pagination } = await workouts(user, { limit: 1 });
    await expect(best(user, { cursor: pagination.next_cursor ?? '' })).rejects.toThrow('set of filters');
  });

  it('selects the best source among workouts that match the filters', async () => {
    const user = await userWith(run(), mirrored('08:00', '09:00', { type: 'treadmill' }));
    expect((await best(user, { recordType: 'treadmill' })).data).toMatchObject([{ type: 'treadmill' }]);
    expect((await best(user, { provider: 'garmin' })).data).toMatchObject([{ type: 'treadmill' }]);
    expect((await best(user, { recordType: 'r' })).data).toMatchObject([{ type: 'running' }]);
  });

  it('counts a chain of overlapping workouts as one workout', async () => {
    const user = await userWith(
      mirrored('10:10', '11:10', { source: LYRA }),
      workout('10:00', '11:00', { source: PHONE }),
      mirrored('10:20', '11:20'),
    );
    // The workouts that start at 10:00 and 10:20 overlap by only two thirds.
    expect((await best(user)).data).toMatchObject([{ source: { device: 'Garmin fenix 7' } }]);
  });

  it('shows both halves of a run if the best source paused', async () => {
    const user = await userWith(workout('08:00', '08:25'), workout('08:30', '09:00'), mirrored('08:00', '09:00'));
    expect((await best(user)).data.map(({ source }) => source.device)).toEqual(['Watch6,2', 'Watch6,2']);
  });

  it('omits a copy if the best source started before the range', async () => {
    const user = await userWith(
      workout('00:00', '01:00', { startMs: at('00:00') - 120_000 }),
      mirrored('00:01', '01:00'),
    );
    expect((await best(user)).data).toEqual([]);
  });

  it("ranks a device of unknown type by the operator's order", async () => {
    const unknown = { ...WATCH, deviceModel: 'Lyra', deviceType: 'unknown' } as const;
    const user = await userWith(run(), workout('08:00', '09:00', { source: unknown }));
    const ranked = database.priorities.deviceTypes;
    await ranked.setOne({ name: 'unknown', priority: 0 });
    const { data } = await best(user);
    await ranked.setOne({ name: 'unknown', priority: 100 });
    expect(data.map(({ source }) => source.device)).toEqual(['Lyra']);
  });

  it('prefers a watch to a phone of a higher-priority provider', async () => {
    const user = await userWith(workout('08:00', '09:00', { source: PHONE }), mirrored('08:00', '09:00'));
    expect((await best(user)).data).toMatchObject([{ source: { device: 'Garmin fenix 7' } }]);
  });
});

describe('one workout by its id', () => {
  it('returns all stored data with duplicates and samples', async () => {
    const user = await userWith(
      workout('08:00', '09:00', {
        type: 'triathlon',
        movingSeconds: 3500,
        stepsCount: 8000,
        heartRateMin: 91.5,
        averageSpeed: 3.2,
        maxWatts: 410,
        indoor: false,
        events: [{ type: 'pause', startMs: at('08:20'), durationSeconds: 60 }],
        activities: [{ type: 'running', startMs: at('08:30'), distanceMeters: 4000 }],
        metadata: { weather: 'rain', lap_length_meters: 25 },
      }),
      workout('08:01', '09:00', { type: 'multisport', source: GARMIN }),
      sample('heart_rate', '2026-03-10T07:59:59Z', 60),
      sample('heart_rate', '2026-03-10T08:00:00Z', 100),
      sample('heart_rate', '2026-03-10T08:30:00Z', 140),
      sample('heart_rate', '2026-03-10T08:30:00Z', 200, { source: PHONE }),
      sample('heart_rate', '2026-03-10T09:00:00Z', 200),
      sample('speed', '2026-03-10T08:10:00Z', 3.1),
      sample('weight', '2026-03-10T08:10:00Z', 70),
    );
    const [own, other] = (await workouts(user)).data.toReversed();
    const detail = await readWorkout(database.pool, user, own?.id ?? '');
    expect(detail).toMatchObject({
      ...own,
      avg_heart_rate_bpm: 120,
      moving_seconds: 3500,
      steps_count: 8000,
      min_heart_rate_bpm: 92,
      average_speed_m_per_s: 3.2,
      max_watts: 410,
      average_cadence_rpm: null,
      indoor: false,
      user_entered: null,
      events: [
        {
          type: 'pause',
          start_time: '2026-03-10T08:20:00Z',
          duration_seconds: 60,
          label: null,
          repetitions: null,
          distance_meters: null,
        },
      ],
      activities: [
        {
          type: 'running',
          start_time: '2026-03-10T08:30:00Z',
          end_time: null,
          duration_seconds: null,
          distance_meters: 4000,
        },
      ],
      metadata: { weather: 'rain', lap_length_meters: 25 },
      duplicate_ids: [other?.id],
    });
    expect(detail?.samples).toEqual([
      {
        type: 'heart_rate',
        unit: 'bpm',
        samples: [
          { timestamp: '2026-03-10T08:00:00Z', value: 100 },
          { timestamp: '2026-03-10T08:30:00Z', value: 140 },
        ],
        complete: true,
      },
      {
        type: 'speed',
        unit: 'm_per_s',
        samples: [{ timestamp: '2026-03-10T08:10:00Z', value: 3.1 }],
        complete: true,
      },
    ]);
  });

  it('reports a truncated series', async () => {
    const seconds = Array.from({ length: 5_001 }, (_, second) => second);
    const user = await userWith(
      workout('08:00', '10:00'),
      ...seconds.map((second) => sample('speed', new Date(at('08:00') + second * 1000).toISOString(), 3)),
    );
    const id = (await workouts(user)).data[0]?.id ?? '';
    const series = (await readWorkout(database.pool, user, id))?.samples[0];
    expect(series?.samples).toHaveLength(5_000);
    expect(series?.complete).toBe(false);
  });

  it('is only visible to its user', async () => {
    const owner = await userWith(workout('08:00', '09:00'));
    const id = (await workouts(owner)).data[0]?.id ?? '';
    expect(await readWorkout(database.pool, await userWith(run()), id)).toBeUndefined();
  });
});

function run(): WorkoutRecord {
  return workout('08:00', '09:00');
}
