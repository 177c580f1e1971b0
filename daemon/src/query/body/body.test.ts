import type { HealthRecord } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { recordedUser } from '../../../../test/support/recorded-user.js';
import { GARMIN, PHONE, sample, samplesEvery, WATCH } from '../../../../test/support/records.js';
import { readBody } from './body.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => database.drop());

const NOW = '2026-03-10T12:00:00Z';

async function bodyOf(records: HealthRecord[], more: { averageDays?: number; latestHours?: number } = {}) {
  const { userKey } = await recordedUser(database, ...records);
  return readBody(database, userKey, {
    nowMs: Date.parse(NOW),
    averageDays: 7,
    latestHours: 4,
    withheld: new Set(),
    ...more,
  });
}

const SCALE = { ...PHONE, writer: 'Example Scale', deviceModel: undefined, deviceType: 'scale' as const };
const at = (time: string) => `2026-03-10T${time}Z`;

describe('slowly changing figures', () => {
  it('shows the newest value of any age with its source', async () => {
    const body = await bodyOf([
      sample('weight', '2020-01-01T08:00:00Z', 90),
      sample('weight', '2026-03-09T08:00:00Z', 72.5, { source: SCALE }),
      sample('weight', '2026-03-10T12:00:00Z', 99),
      sample('height', '2019-01-01T08:00:00Z', 175),
      sample('body_fat_percentage', '2026-03-01T08:00:00Z', 21.4),
      sample('lean_body_mass', '2026-03-01T08:00:00Z', 51.6),
      sample('skeletal_muscle_mass', '2026-03-01T08:00:00Z', 30.1),
      { kind: 'personal', birthDate: '1985-03-11' },
    ]);
    expect(body?.source).toMatchObject({ provider: 'apple', device_type: 'scale', source: 'Example Scale' });
    expect(body?.slow_changing).toEqual({
      weight_kg: 72.5,
      height_cm: 175,
      body_fat_percent: 21.4,
      muscle_mass_kg: 51.6,
      skeletal_muscle_mass_kg: 30.1,
      bmi: 23.7,
      age: 40,
    });
  });

  it.each([
    ['2026-03-01', 23.7],
    ['2026-03-02', 24.4],
    ['2026-03-03', 24.4],
  ])('shows BMI $1 for a 2026-03-02 weight and a BMI dated $0', async (date, bmi) => {
    const body = await bodyOf([
      sample('weight', '2026-03-02T00:00:00Z', 72.5),
      sample('height', '2020-01-01T00:00:00Z', 175),
      sample('body_mass_index', `${date}T00:00:00Z`, 24.4),
    ]);
    expect(body?.slow_changing.bmi).toBe(bmi);
  });

  it('prefers the higher-ranked source for values of one instant', async () => {
    const weights = [sample('weight', at('08:00'), 70, { source: GARMIN }), sample('weight', at('08:00'), 71)];
    expect((await bodyOf(weights))?.slow_changing.weight_kg).toBe(71);
  });
});

describe('a weight of a vendor’s profile', () => {
  const WHOOP = { provider: 'whoop', writer: 'whoop_api', deviceType: 'band' } as const;
  const profile = [
    sample('weight', '2026-03-09T08:00:00Z', 80, { source: WHOOP }),
    sample('height', '2026-03-09T08:00:00Z', 175, { source: WHOOP }),
  ];

  it('loses to an older measured weight', async () => {
    const body = await bodyOf([...profile, sample('weight', '2026-02-20T07:00:00Z', 72.5, { source: SCALE })]);
    expect(body?.slow_changing).toMatchObject({ weight_kg: 72.5, height_cm: 175, bmi: 23.7 });
    expect(body?.source).toMatchObject({ provider: 'apple', source: 'Example Scale' });
  });

  it('is shown without a measured weight', async () => {
    expect(await bodyOf(profile)).toMatchObject({
      source: { provider: 'whoop' },
      slow_changing: { weight_kg: 80, height_cm: 175, bmi: 26.1 },
    });
  });

  it('never replaces a measured BMI', async () => {
    const body = await bodyOf([...profile, sample('body_mass_index', '2026-02-20T07:00:00Z', 23.7)]);
    expect(body?.slow_changing).toMatchObject({ weight_kg: 80, bmi: 23.7 });
  });
});

describe('averages', () => {
  it('averages readings over a period of seven days', async () => {
    const days = ['08', '09', '10'];
    const body = await bodyOf([
      ...days.map((day, index) => sample('resting_heart_rate', `2026-03-${day}T05:00:00Z`, 60 + index)),
      ...days.map((day, index) => sample('heart_rate_variability_sdnn', `2026-03-${day}T05:00:00Z`, 44 + 2 * index)),
    ]);
    expect(body?.averaged).toEqual({
      period_days: 7,
      resting_heart_rate_bpm: 61,
      avg_hrv_sdnn_ms: 46,
      avg_hrv_rmssd_ms: null,
      period_start: '2026-03-03T12:00:00Z',
      period_end: NOW,
    });
  });

  it('weights each day equally, not each reading', async () => {
    const body = await bodyOf([
      ...samplesEvery('heart_rate_variability_rmssd', '2026-03-08T00:00:00Z', 5, Array<number>(50).fill(40)),
      sample('heart_rate_variability_rmssd', '2026-03-09T03:00:00Z', 60),
    ]);
    expect(body?.averaged.avg_hrv_rmssd_ms).toBe(50);
  });

  it('assigns HRV of a night across midnight to one date', async () => {
    const night = (evening: string, morning: string, value: number): HealthRecord[] => [
      {
        kind: 'sleep_session',
        source: GARMIN,
        externalId: morning,
        startMs: Date.parse(`2026-03-${evening}T22:00:00Z`),
        endMs: Date.parse(`2026-03-${morning}T06:00:00Z`),
        offsetMinutes: 0,
        isNap: false,
        asleepSeconds: 28_800,
      },
      ...samplesEvery(
        'heart_rate_variability_rmssd',
        `2026-03-${evening}T22:00:00Z`,
        5,
        Array<number>(96).fill(value),
        {
          source: GARMIN,
        },
      ),
    ];
    const average = { source: GARMIN, kind: 'aggregate' } as const;
    const body = await bodyOf([
      ...night('07', '08', 40),
      sample('heart_rate_variability_rmssd', '2026-03-08T05:59:59Z', 44, average),
      ...night('08', '09', 60),
    ]);
    expect(body?.averaged.avg_hrv_rmssd_ms).toBe(52);
  });

  it('averages one source within the period', async () => {
    const records = [
      sample('resting_heart_rate', '2026-03-09T05:00:00Z', 50),
      sample('resting_heart_rate', '2026-03-09T05:00:00Z', 80, { source: GARMIN }),
      sample('resting_heart_rate', '2026-03-09T06:00:00Z', 0),
      sample('resting_heart_rate', '2026-03-03T11:59:59Z', 100),
      sample('heart_rate_variability_rmssd', '2026-03-09T05:00:00Z', 33, { source: GARMIN }),
    ];
    expect((await bodyOf(records))?.averaged).toMatchObject({ resting_heart_rate_bpm: 50, avg_hrv_rmssd_ms: 33 });
  });
});

describe('the latest values', () => {
  it('limits the age of latest values to the window', async () => {
    const records = [
      sample('body_temperature', at('07:00'), 36.7),
      sample('skin_temperature', at('08:00'), 33.1),
      sample('weight', at('08:00'), 70),
    ];
    expect((await bodyOf(records))?.latest).toMatchObject({
      body_temperature_celsius: null,
      body_temperature_measured_at: null,
      skin_temperature_celsius: 33.1,
      skin_temperature_measured_at: at('08:00:00'),
    });
    expect((await bodyOf(records, { latestHours: 5 }))?.latest.body_temperature_celsius).toBe(36.7);
  });

  const pressure = (time: string, systolic: number, later: number, diastolic: number, source = WATCH) => [
    sample('blood_pressure_systolic', at(time), systolic, { source }),
    sample('blood_pressure_diastolic', new Date(Date.parse(at(time)) + later * 1000).toISOString(), diastolic, {
      source,
    }),
  ];

  it('pairs systolic and diastolic values within five seconds', async () => {
    expect((await bodyOf(pressure('10:00:00', 120.4, 5, 80.6)))?.latest).toMatchObject({
      blood_pressure: {
        avg_systolic_mmhg: 120,
        avg_diastolic_mmhg: 81,
        max_systolic_mmhg: null,
        min_systolic_mmhg: null,
        reading_count: 1,
      },
      blood_pressure_measured_at: at('10:00:05'),
    });
    expect(
      (await bodyOf([...pressure('10:00:00', 120, 6, 80), sample('weight', at('08:00'), 70)]))?.latest,
    ).toMatchObject({
      blood_pressure: null,
      blood_pressure_measured_at: null,
    });
  });

  it('uses each blood pressure value once, in the closest pair', async () => {
    const systolic = (time: string, value: number) => sample('blood_pressure_systolic', at(time), value);
    const diastolic = (time: string, value: number) => sample('blood_pressure_diastolic', at(time), value);
    const one = [systolic('10:00:00', 120), diastolic('10:00:02', 80), systolic('10:00:04', 140)];
    expect((await bodyOf(one))?.latest).toMatchObject({
      blood_pressure: { avg_systolic_mmhg: 120, avg_diastolic_mmhg: 80, max_systolic_mmhg: null, reading_count: 1 },
      blood_pressure_measured_at: at('10:00:02'),
    });
    expect((await bodyOf([...one, diastolic('10:00:03', 90)]))?.latest).toMatchObject({
      blood_pressure: { min_systolic_mmhg: 120, max_systolic_mmhg: 140, min_diastolic_mmhg: 80, reading_count: 2 },
      blood_pressure_measured_at: at('10:00:04'),
    });
    expect((await bodyOf([systolic('10:00:01', 130), ...one]))?.latest).toMatchObject({
      blood_pressure: { avg_systolic_mmhg: 130, avg_diastolic_mmhg: 80, reading_count: 1 },
    });
  });

  it('computes blood pressure figures only from pairs', async () => {
    const body = await bodyOf([
      ...pressure('09:00:00', 130, 0, 90),
      ...pressure('10:00:00', 120, 0, 80),
      ...pressure('10:00:00', 180, 0, 120, GARMIN),
      sample('blood_pressure_systolic', at('11:00:00'), 200),
    ]);
    expect(body?.latest).toMatchObject({
      blood_pressure: {
        avg_systolic_mmhg: 125,
        avg_diastolic_mmhg: 85,
        max_systolic_mmhg: 130,
        max_diastolic_mmhg: 90,
        min_systolic_mmhg: 120,
        min_diastolic_mmhg: 80,
        reading_count: 2,
      },
      blood_pressure_measured_at: at('10:00:00'),
    });
  });
});

describe('a body summary with few figures', () => {
  it.each([
    ['no records', []],
    ['old vitals only', [sample('resting_heart_rate', '2026-01-01T00:00:00Z', 60)]],
    [
      'a BMI and an age only',
      [sample('body_mass_index', at('08:00'), 23), { kind: 'personal', birthDate: '1985-03-11' }],
    ],
  ] as [string, HealthRecord[]][])('is null with %s', async (_, records) => {
    expect(await bodyOf(records)).toBeNull();
  });

  it('exists with only an average', async () => {
    const body = await bodyOf([sample('resting_heart_rate', '2026-03-09T05:00:00Z', 60)]);
    expect(body).toMatchObject({
      source: { provider: 'unknown', device_name: null },
      slow_changing: { weight_kg: null },
    });
  });
});
