import { parseMoment } from '@healthd/api';
import type { HealthRecord, WorkoutRecord } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { recordedUser } from '../../../../test/support/recorded-user.js';
import { PHONE, sample, WATCH } from '../../../../test/support/records.js';
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
  return readWorkouts(database.pool, userKey, { start, end, limit: 50, ...more });
}

describe('a workout', () => {
  it('shows what was measured, with a pace over the time moving', async () => {
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

  it('without a heart rate of its own gets the mean of its own source while it lasted', async () => {
    const user = await userWith(
      workout('08:00', '09:00'),
      sample('heart_rate', '2026-03-10T07:59:59Z', 60),
      sample('heart_rate', '2026-03-10T08:00:00Z', 100),
      sample('heart_rate', '2026-03-10T08:30:00Z', 141),
      sample('heart_rate', '2026-03-10T08:30:00Z', 200, { source: PHONE }),
      sample('heart_rate', '2026-03-10T09:00:00Z', 200),
    );
    expect((await workouts(user)).data[0]).toMatchObject({ avg_heart_rate_bpm: 121, max_heart_rate_bpm: null });
  });

  it('keeps zero and unknown apart', async () => {
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
  it('holds what starts in the range, newest first', async () => {
    const user = await userWith(
      { ...workout('00:00', '01:00'), startMs: at('00:00') - 1, endMs: at('01:00') },
      workout('00:00', '01:00'),
      { ...workout('23:59:59', '23:59:59'), endMs: at('23:59:59') + 3_600_000 },
      { ...workout('23:59:59', '23:59:59'), startMs: at('00:00') + 86_400_000, endMs: at('00:00') + 90_000_000 },
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
  ])('asked for %s shows %j', async (recordType, types) => {
    const user = await userWith(
      workout('08:00', '09:00', { type: 'running' }),
      workout('10:00', '11:00', { type: 'trail_running' }),
      workout('12:00', '13:00', { type: 'yoga' }),
    );
    const { data, pagination } = await workouts(user, { recordType });
    expect(data.map(({ type }) => type)).toEqual(types);
    expect(pagination.total_count).toBe(types.length);
  });

  it('pages in both directions, also where two sources start at one instant', async () => {
    const user = await userWith(
      ...['08:00', '10:00', '12:00'].flatMap((time) =>
        [WATCH, PHONE].map((source) => ({ ...workout(time, time, { source }), endMs: at(time) + 1_800_000 })),
      ),
    );
    const all = (await workouts(user)).data;
    const first = await workouts(user, { limit: 3 });
    const second = await workouts(user, { limit: 3, cursor: first.pagination.next_cursor ?? '' });
    expect([...first.data, ...second.data]).toEqual(all);
    expect(second.pagination).toMatchObject({ has_more: false, next_cursor: null, total_count: 6 });
    const back = await workouts(user, { limit: 3, cursor: second.pagination.previous_cursor ?? '' });
    expect(back.data).toEqual(first.data);
    expect(back.pagination.next_cursor).toBe(first.pagination.next_cursor);
  });
});
