import { type HealthRecord, MS_PER_HOUR } from '@healthd/model';
import { parseMoment } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { recordedUser } from '../../../../test/support/recorded-user.js';
import { GARMIN, sample, samplesEvery, WATCH } from '../../../../test/support/records.js';
import { readDataSources } from './data-sources.js';
import { readDataSummary } from './data-summary.js';

let database: TestDatabase;
let user: { id: string; userKey: number };
beforeAll(async () => {
  database = await createTestDatabase();
  const time = (iso: string) => Date.parse(iso);
  user = await recordedUser(
    database,
    ...samplesEvery('heart_rate', '2026-03-10T08:00:00Z', 1, [60, 61, 62], { source: WATCH }),
    sample('steps', '2026-03-10T08:00:00Z', 10, { source: WATCH }),
    sample('steps', '2026-03-11T08:00:00Z', 20, { source: GARMIN }),
    sample('steps', '2026-03-12T00:00:00Z', 9000, { source: GARMIN, kind: 'daily_total' }),
    ...(['running', 'running', 'yoga'] as const).map((type, hour) => ({
      kind: 'workout' as const,
      source: WATCH,
      type,
      startMs: time('2026-03-10T10:00:00Z') + hour * MS_PER_HOUR,
      endMs: time('2026-03-10T10:30:00Z') + hour * MS_PER_HOUR,
    })),
    {
      kind: 'sleep_session',
      source: GARMIN,
      startMs: time('2026-03-10T23:00:00Z'),
      endMs: time('2026-03-11T06:00:00Z'),
    },
  );
});
afterAll(async () => database.drop());

function summary(start?: string, end?: string) {
  const moment = (text?: string) => (text === undefined ? undefined : parseMoment(text));
  return readDataSummary(database.pool, user, { start: moment(start), end: moment(end) });
}

it('counts samples, workouts and nights by type and provider', async () => {
  const counted = await summary();
  expect(counted).toEqual({
    user_id: user.id,
    total_data_points: 6,
    total_workouts: 3,
    total_sleep_events: 1,
    series_type_counts: { heart_rate: 3, steps: 3 },
    workout_type_counts: { running: 2, yoga: 1 },
    by_provider: [
      {
        provider: 'apple',
        data_points: 4,
        series_counts: { heart_rate: 3, steps: 1 },
        workout_count: 3,
        sleep_count: 0,
      },
      { provider: 'garmin', data_points: 2, series_counts: { steps: 2 }, workout_count: 0, sleep_count: 1 },
    ],
    has_womens_health_data: false,
    last_seen: { heart_rate: '2026-03-10T08:02:00Z', steps: '2026-03-12T00:00:00Z' },
  });
  expect(Object.keys(counted.by_provider[0]?.series_counts ?? {})).toEqual(['heart_rate', 'steps']);
});

it.each([
  ['2026-03-11', undefined, 2, 0, 1],
  [undefined, '2026-03-11', 4, 3, 0],
  ['2026-03-11', '2026-03-12', 1, 0, 1],
  ['2026-03-11', '2026-03-11', 0, 0, 0],
])('counts $2 samples, $3 workouts and $4 nights from $0 to $1', async (start, end, samples, workouts, nights) => {
  expect(await summary(start, end)).toMatchObject({
    total_data_points: samples,
    total_workouts: workouts,
    total_sleep_events: nights,
  });
});

it('reports women’s health data for a cycle', async () => {
  const times = { startMs: Date.parse('2026-03-01T00:00:00Z'), endMs: Date.parse('2026-03-29T00:00:00Z') };
  const cycle = { kind: 'menstrual_cycle', source: GARMIN, ...times, details: {} } as const;
  const other = await recordedUser(database, cycle);
  expect((await readDataSummary(database.pool, other, {})).has_womens_health_data).toBe(true);
});

describe('the last time of a series', () => {
  const lastSeen = async (...records: HealthRecord[]) =>
    (await readDataSummary(database.pool, await recordedUser(database, ...records), {})).last_seen;
  const dated = (start: string, offsetMinutes?: number) =>
    sample('respiratory_rate', start, 14.2, { source: GARMIN, kind: 'daily_total', offsetMinutes });

  it.each([
    ['in Berlin', '2026-03-11T23:00:00Z', 60],
    ['in Los Angeles', '2026-03-12T07:00:00Z', -420],
    ['in Kiritimati', '2026-03-11T10:00:00Z', 840],
    ['of a vendor that writes midnight UTC', '2026-03-12T00:00:00Z', undefined],
  ])('is the local midnight of its last dated value %s', async (_, start, offsetMinutes) => {
    const before = dated('2026-03-10T10:00:00Z', 840);
    expect(await lastSeen(before, dated(start, offsetMinutes))).toEqual({ respiratory_rate: start });
  });

  it('is the later of the last reading and the last dated value', async () => {
    const reading = sample('respiratory_rate', '2026-03-12T03:00:00Z', 15, { source: GARMIN, offsetMinutes: 60 });
    const total = dated('2026-03-11T23:00:00Z', 60);
    expect(await lastSeen(total, reading)).toEqual({ respiratory_rate: '2026-03-12T03:00:00Z' });
    const next = dated('2026-03-12T23:00:00Z', 60);
    expect(await lastSeen(total, reading, next)).toEqual({ respiratory_rate: '2026-03-12T23:00:00Z' });
  });
});

it('lists data sources by provider with a display name', async () => {
  const { items, total } = await readDataSources(database.pool, user);
  expect(total).toBe(2);
  expect(
    items.map(({ display_name, provider, device_type, user_id }) => [display_name, provider, device_type, user_id]),
  ).toEqual([
    ['Apple - Watch6,2', 'apple', 'watch', user.id],
    ['Garmin - Garmin fenix 7', 'garmin', 'watch', user.id],
  ]);
});
