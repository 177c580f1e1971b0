import { type HealthRecord, MS_PER_DAY, MS_PER_HOUR, type SourceIdentity } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeRecords } from '../support/recorded-user.js';
import { GARMIN, PHONE, sample, samplesEvery, WATCH } from '../support/records.js';
import { type Answered, startTestService, type TestService } from '../support/service.js';
import { session, stages, type Vector, vector } from './vector.js';

/**
 * The numbered examples of the rules for summaries and time series, tested through the API. Other files test some
 * numbers: E1 to E9 (31) are in `daemon/src/query/nights/recovery-summary.test.ts`, and 32 to 37 are in
 * `vectors-export.test.ts`. `daemon/src/query/walk.test.ts` also tests 27 with deletions. 17 to 20 have no test,
 * because the service computes no scores itself.
 */

const NOW = Date.now();
const at = (time: string) => `2026-03-10T${time}Z`;
const ago = (ms: number) => new Date(NOW - ms).toISOString();

const ACTIVITY = 'summaries/activity?start_date=2026-03-10&end_date=2026-03-11';
const SLEEP = 'summaries/sleep?start_date=2026-03-10&end_date=2026-03-11';
const SESSIONS = 'events/sleep?start_date=2026-03-09&end_date=2026-03-12';
const EMPTY = 'summaries/activity?start_date=2026-03-10&end_date=2026-03-10';
const BODY = 'summaries/body';
const series = (type: string, more: string) => `timeseries/${type}?start_date=2026-03-10&${more}`;

const day = (facts: object) => ({ data: [expect.objectContaining(facts)] });

const hike: HealthRecord = {
  kind: 'workout',
  source: WATCH,
  type: 'hiking',
  elevationGainMeters: 150.5,
  startMs: Date.parse(at('09:00')),
  endMs: Date.parse(at('10:00')),
};
const unranked = (provider: 'ultrahuman' | 'sensorbio', deviceType: SourceIdentity['deviceType']): SourceIdentity => ({
  provider,
  deviceType,
  deviceModel: `${provider} ${deviceType}`,
});
/** Steps in one sample of this many minutes. */
const covering = (source: SourceIdentity, steps: number, minutes: number) =>
  sample('steps', at('08:00'), steps, { source, minutes });

const VECTORS: Vector[] = [
  vector(
    1,
    "a daily total wins over the day's samples",
    [
      sample('steps', at('00:00'), 10_000, { kind: 'daily_total' }),
      sample('steps', at('08:00'), 4000),
      sample('steps', at('18:00'), 5500),
    ],
    ACTIVITY,
    day({ steps: 10_000 }),
  ),
  vector(
    2,
    'samples alone are added up',
    [sample('steps', at('08:00'), 4000), sample('steps', at('18:00'), 5500)],
    ACTIVITY,
    day({ steps: 9500 }),
  ),
  vector(
    3,
    '150.5 meters of climbing count as 50 floors',
    [sample('steps', at('08:00'), 10), hike],
    ACTIVITY,
    day({ floors_climbed: 50, elevation_meters: 150.5 }),
  ),
  vector(
    4,
    'a mean of 102.5 bpm is 103',
    [sample('heart_rate', at('08:00'), 100), sample('heart_rate', at('09:00'), 105)],
    ACTIVITY,
    day({ heart_rate: { avg_bpm: 103, min_bpm: 100, max_bpm: 105 } }),
  ),
  ...(
    [
      [95, 'light'],
      [119, 'light'],
      [119.5, 'moderate'],
      [144, 'moderate'],
      [144.1, 'vigorous'],
      [176, 'vigorous'],
      [177, 'vigorous'],
    ] as const
  ).map(([bpm, zone]) =>
    vector(
      5,
      `a minute at ${bpm} bpm without a birth date is ${zone}`,
      [sample('heart_rate', at('08:00'), bpm, { minutes: 1 })],
      ACTIVITY,
      day({ intensity_minutes: { light: 0, moderate: 0, vigorous: 0, [zone]: 1 } }),
    ),
  ),
  vector(
    6,
    'minutes with 29, 30 and 0 steps count as one active minute',
    [29, 30, 0].map((steps, minute) => sample('steps', at(`08:0${minute}`), steps, { minutes: 1 })),
    ACTIVITY,
    day({ active_minutes: 1, sedentary_minutes: null }),
  ),
  vector(
    '6, six hours known',
    'the minutes with 29 and 0 steps and all other covered minutes are sedentary',
    [
      ...[29, 30, 0].map((steps, minute) => sample('steps', at(`08:0${minute}`), steps, { minutes: 1 })),
      ...samplesEvery(
        'heart_rate',
        at('08:04'),
        1,
        Array.from({ length: 360 }, () => 60),
        { minutes: 1 },
      ),
    ],
    ACTIVITY,
    day({ active_minutes: 1, sedentary_minutes: 362 }),
  ),
  vector(
    7,
    'a night shows its wake date, sleep time, time in bed, efficiency',
    [
      session('2026-03-09T22:00:00Z', at('06:00:00'), {
        offsetMinutes: 0,
        asleepSeconds: 420 * 60,
        inBedSeconds: 480 * 60,
        efficiencyPercent: 87.5,
      }),
    ],
    SLEEP,
    day({ date: '2026-03-10', duration_minutes: 420, time_in_bed_minutes: 480, efficiency_percent: 87.5 }),
  ),
  vector(
    8,
    'a nap counts in addition to the night',
    [
      session('2026-03-09T22:00:00Z', at('06:30:00'), { asleepSeconds: 480 * 60 }),
      session(at('14:00:00'), at('14:30:00'), { isNap: true }),
    ],
    SLEEP,
    day({ duration_minutes: 480, nap_count: 1, nap_duration_minutes: 30, total_duration_minutes: 510 }),
  ),
  vector(
    9,
    "a split night shows its longer part's times and total sleep duration",
    [session('2026-03-09T20:00:00Z', '2026-03-09T21:00:00Z'), session('2026-03-10T00:30:00Z', at('06:30:00'))].map(
      (record) => ({ ...record, offsetMinutes: 240 }),
    ),
    SLEEP,
    day({ start_time: at('00:30:00'), end_time: at('06:30:00'), duration_minutes: 420 }),
  ),
  ...(
    [
      [59, 1],
      [120, 1],
      [180, 2],
    ] as const
  ).map(([pause, count]) =>
    vector(
      10,
      `fragments ${pause} minutes apart are ${count} session(s)`,
      stages('2026-03-09T21:00:00Z', ['light', 30], ['light', 240, pause]),
      SESSIONS,
      { data: { length: count } },
    ),
  ),
  vector(
    11,
    'efficiency is weighted by the length of the fragments',
    [
      session('2026-03-09T22:00:00Z', '2026-03-09T22:30:00Z', { efficiencyPercent: 27, offsetMinutes: 120 }),
      session('2026-03-09T23:00:00Z', '2026-03-10T06:10:00Z', { efficiencyPercent: 80, offsetMinutes: 120 }),
    ],
    SLEEP,
    day({ efficiency_percent: expect.closeTo(76.54, 2) }),
  ),
  vector(
    12,
    '72.5 kg at 175 cm give a BMI of 23.7',
    [sample('weight', ago(MS_PER_DAY), 72.5), sample('height', ago(400 * MS_PER_DAY), 175)],
    BODY,
    { slow_changing: expect.objectContaining({ bmi: 23.7 }) },
  ),
  vector(
    13,
    'resting heart rates of 60, 61 and 62 within a week average 61',
    [60, 61, 62].map((bpm, n) => sample('resting_heart_rate', ago((n + 1) * MS_PER_DAY), bpm)),
    BODY,
    { averaged: expect.objectContaining({ resting_heart_rate_bpm: 61, period_days: 7 }) },
  ),
  vector(
    14,
    'SDNN values of 44, 46 and 48 ms average 46 ms',
    [44, 46, 48].map((ms, n) => sample('heart_rate_variability_sdnn', ago((n + 1) * MS_PER_DAY), ms)),
    BODY,
    { averaged: expect.objectContaining({ avg_hrv_sdnn_ms: 46 }) },
  ),
  vector(
    15,
    'systolic and diastolic pressure five seconds apart form a reading',
    [
      sample('blood_pressure_systolic', ago(MS_PER_HOUR), 120.4),
      sample('blood_pressure_diastolic', ago(MS_PER_HOUR - 5000), 80.6),
    ],
    BODY,
    {
      latest: expect.objectContaining({
        blood_pressure: expect.objectContaining({ avg_systolic_mmhg: 120, avg_diastolic_mmhg: 81 }),
      }),
    },
  ),
  vector(
    '15, six seconds',
    'systolic and diastolic pressure six seconds apart do not form a reading',
    [
      sample('weight', ago(MS_PER_DAY), 70),
      sample('blood_pressure_systolic', ago(MS_PER_HOUR), 120.4),
      sample('blood_pressure_diastolic', ago(MS_PER_HOUR - 6000), 80.6),
    ],
    BODY,
    { latest: expect.objectContaining({ blood_pressure: null }) },
  ),
  vector(
    16,
    'a five-hour-old temperature is not in a four-hour window',
    [sample('weight', ago(MS_PER_DAY), 70), sample('body_temperature', ago(5 * MS_PER_HOUR), 37.2)],
    `${BODY}?latest_window_hours=4`,
    { latest: expect.objectContaining({ body_temperature_celsius: null }) },
  ),
  vector(
    21,
    'stages of 50, 53 and 43 minutes add up to 8760 seconds',
    stages('2026-03-09T23:00:00Z', ['light', 50], ['deep', 53, 2], ['rem', 43, 2]),
    SESSIONS,
    { data: [expect.objectContaining({ sleep_duration_seconds: 8760 })] },
  ),
  vector(
    22,
    '155 deep, 45 light and 45 REM minutes are 245 minutes asleep',
    stages('2026-03-09T22:00:00Z', ['deep', 155], ['light', 45], ['awake', 10], ['rem', 45]),
    SLEEP,
    day({ duration_minutes: 245, time_in_bed_minutes: 255, efficiency_percent: expect.closeTo(96.08, 2) }),
  ),
  vector(
    23,
    'the last value wins for an ID sent twice in a batch',
    [
      { ...sample('steps', at('08:00'), 130), externalId: 'a' },
      { ...sample('steps', at('08:00'), 135), externalId: 'a' },
      sample('steps', at('08:01'), 20),
    ],
    series('steps', 'end_date=2026-03-10'),
    { data: [expect.objectContaining({ value: 135 }), expect.objectContaining({ value: 20 })] },
  ),
  vector(
    24,
    "a day shows only the preferred provider's steps, not a sum",
    [covering(GARMIN, 9800, 600), covering(WATCH, 9100, 300)],
    ACTIVITY,
    day({ steps: 9100, source: expect.objectContaining({ provider: 'apple' }) }),
  ),
  vector(
    25,
    'a sleep that ends at 22:30 UTC belongs to the next date at offset +02:00',
    [
      session('2026-03-09T16:00:00Z', '2026-03-09T22:30:00Z', { offsetMinutes: 120 }),
      sample('steps', '2026-03-09T22:30:00Z', 77, { offsetMinutes: 120 }),
    ],
    SLEEP,
    day({ date: '2026-03-10' }),
  ),
  vector(
    '26, device type',
    'the better device type wins between providers of equal priority, despite less coverage',
    [covering(unranked('ultrahuman', 'ring'), 8000, 600), covering(unranked('sensorbio', 'watch'), 7000, 60)],
    ACTIVITY,
    day({ steps: 7000 }),
  ),
  vector(
    '26, value',
    'the larger value wins between equal device types',
    [covering(unranked('ultrahuman', 'band'), 7000, 600), covering(unranked('sensorbio', 'band'), 8000, 60)],
    ACTIVITY,
    day({ steps: 8000 }),
  ),
  vector(
    '26, source',
    "the source's identity decides between equal values",
    [covering(unranked('ultrahuman', 'band'), 8000, 60), covering(unranked('sensorbio', 'band'), 8000, 60)],
    ACTIVITY,
    day({ source: expect.objectContaining({ provider: 'sensorbio' }) }),
  ),
  vector(28, 'a range whose end equals its start contains no days', [sample('steps', at('08:00'), 10)], EMPTY, {
    data: [],
  }),
  vector(
    29,
    'an end date includes that whole day in a time series',
    [sample('steps', at('00:00'), 1), sample('steps', at('23:59:59'), 2), sample('steps', '2026-03-11T00:00:00Z', 3)],
    series('steps', 'end_date=2026-03-10'),
    { data: [expect.objectContaining({ value: 1 }), expect.objectContaining({ value: 2 })] },
  ),
  vector(
    30,
    'five-minute buckets contain the means 72, 82 and 90',
    (
      [
        ['08:02:10', 70],
        ['08:04:00', 74],
        ['08:05:00', 80],
        ['08:09:59', 84],
        ['08:21:00', 90],
      ] as const
    ).map(([time, bpm]) => sample('heart_rate', at(time), bpm)),
    'timeseries/heart_rate?start_date=2026-03-10T08:02:00Z&end_date=2026-03-10T09:00:00Z&resolution=5min',
    {
      data: [
        expect.objectContaining({ timestamp: at('08:00:00'), value: 72 }),
        expect.objectContaining({ timestamp: at('08:05:00'), value: 82 }),
        expect.objectContaining({ timestamp: at('08:20:00'), value: 90 }),
      ],
    },
  ),
  ...(
    [
      ['E7', ''],
      ['E7, strict', '&recovery_selection=strict'],
    ] as const
  ).map(([name, selection]) =>
    vector(
      `31, ${name}`,
      'shows the resting heart rate of the watch and the variability of the band',
      [
        sample('resting_heart_rate', at('06:00'), 58),
        sample('resting_heart_rate', at('07:00'), 52, { source: { provider: 'whoop' } }),
        sample('heart_rate_variability_rmssd', at('07:00'), 88, { source: { provider: 'whoop' } }),
      ],
      `summaries/recovery?start_date=2026-03-10&end_date=2026-03-11${selection}`,
      day({
        resting_heart_rate_bpm: 58,
        avg_hrv_rmssd_ms: 88,
        sources: expect.objectContaining({
          resting_heart_rate: expect.objectContaining({ provider: 'apple' }),
          hrv: expect.objectContaining({ provider: 'whoop' }),
        }),
      }),
    ),
  ),
];

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  // A provider without a priority gets a priority with its first source.
  await service.pool.query(
    `insert into provider_priority (provider, priority) values ('ultrahuman', 99), ('sensorbio', 99)
      on conflict (provider) do update set priority = excluded.priority`,
  );
});
afterAll(() => service.stop());

async function newUser(): Promise<string> {
  return (await service.call('POST', '/api/v1/users')).body.id;
}

async function write(userId: string, records: HealthRecord[]): Promise<void> {
  const user = await service.users.find(userId);
  if (!user) throw new Error('the user is not there');
  await writeRecords(service, user.userKey, records);
}

const get = (userId: string, path: string): Promise<Answered> => service.call('GET', `/api/v1/users/${userId}/${path}`);

describe('vector', () => {
  it.each(VECTORS.map((one) => [one.vector, one.says, one] as const))(
    '%s: %s',
    async (_, __, { records, path, expected }) => {
      const user = await newUser();
      await write(user, records);
      const { status, body } = await get(user, path);
      expect(status).toBe(200);
      expect(body).toMatchObject(expected);
    },
  );

  it('27: repeats and skips no row when earlier rows arrive between pages', async () => {
    const user = await newUser();
    await write(user, samplesEvery('heart_rate', at('08:00'), 1, [60, 61, 62, 63, 64, 65]));
    const first = (await get(user, series('heart_rate', 'end_date=2026-03-10&limit=3'))).body;
    await write(user, samplesEvery('heart_rate', at('07:00'), 1, [50, 51, 52], { source: PHONE }));
    const cursor = `cursor=${first.pagination.next_cursor}`;
    const second = (await get(user, series('heart_rate', `end_date=2026-03-10&limit=10&${cursor}`))).body;
    const values = [...first.data, ...second.data].map(({ value }: { value: number }) => value);
    expect(values).toEqual([60, 61, 62, 63, 64, 65]);
  });
});
