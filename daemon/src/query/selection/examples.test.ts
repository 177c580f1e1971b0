import {
  type HealthRecord,
  MS_PER_MINUTE,
  type SampleKind,
  type SeriesCode,
  type SourceIdentity,
} from '@healthd/model';
import { parseMoment } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { recordedUser } from '../../../../test/support/recorded-user.js';
import { sample } from '../../../../test/support/records.js';
import { readActivity, readBody, readRecovery, readSleepSummary } from '../index.js';
import { readTimeseries } from '../timeseries/timeseries.js';

/**
 * Worked examples of the selection rule. Each row contains records and the expected summary of 10 March 2026. Order of
 * priority: apple, garmin, polar, suunto, whoop, oura. All times are UTC.
 */
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const APPLE_WATCH: SourceIdentity = {
  provider: 'apple',
  deviceModel: 'Watch6,2',
  deviceType: 'watch',
  writer: 'watch',
};
const IPHONE: SourceIdentity = { provider: 'apple', deviceModel: 'iPhone15,2', deviceType: 'phone', writer: 'phone' };
const PHONE_APP: SourceIdentity = {
  provider: 'apple',
  deviceModel: 'iPhone15,2',
  deviceType: 'phone',
  writer: 'Sleeper',
};
const APP: SourceIdentity = { provider: 'apple', writer: 'Sleeper' };
const TYPED: SourceIdentity = { provider: 'apple', writer: 'Health' };
const GARMIN: SourceIdentity = { provider: 'garmin', deviceModel: 'fenix 7', deviceType: 'watch', account: 'g1' };
const POLAR: SourceIdentity = { provider: 'polar', deviceModel: 'Vantage V2', deviceType: 'watch', account: 'p1' };
const SUUNTO: SourceIdentity = { provider: 'suunto', deviceModel: 'Race', deviceType: 'watch', account: 's1' };
const OURA: SourceIdentity = { provider: 'oura', deviceModel: 'Oura Ring 4', deviceType: 'ring', account: 'o1' };
const WHOOP: SourceIdentity = { provider: 'whoop', deviceModel: 'WHOOP 5.0', deviceType: 'band', account: 'w1' };
const SCALE: SourceIdentity = { provider: 'apple', deviceModel: 'Body+', deviceType: 'scale', writer: 'Scale' };

const DAY = '2026-03-10';
const at = (clock: string, day = DAY) => `${day}T${clock}:00Z`;
const measured = (source: SourceIdentity, code: SeriesCode, value: number, clock = '12:00', day = DAY) =>
  sample(code, at(clock, day), value, { source, offsetMinutes: 0, minutes: code === 'steps' ? 10 : 0 });
const total = (source: SourceIdentity, code: SeriesCode, value: number) =>
  sample(code, at('00:00'), value, { source, offsetMinutes: 0, kind: 'daily_total' satisfies SampleKind });

interface SleepFacts {
  asleep?: number;
  inBed?: number;
  isNap?: boolean;
  offset?: number;
}
/** Returns a sleep; `asleep` and `inBed` are in minutes. By default the user is asleep for the whole session. */
function sleep(
  source: SourceIdentity,
  from: string,
  to: string,
  { asleep, inBed, isNap = false, offset = 0 }: SleepFacts = {},
) {
  const [startMs, endMs] = [Date.parse(from), Date.parse(to)];
  const whole = (endMs - startMs) / MS_PER_MINUTE;
  const known = inBed === undefined ? (asleep ?? whole) : asleep;
  return {
    kind: 'sleep_session',
    source,
    startMs,
    endMs,
    offsetMinutes: offset,
    isNap,
    ...(known !== undefined && { asleepSeconds: known * 60 }),
    ...(inBed !== undefined && { inBedSeconds: inBed * 60 }),
  } satisfies HealthRecord;
}
const evening = (clock: string) => at(clock, '2026-03-09');

interface Shown {
  activity?: object | null;
  sleep?: object | null;
  recovery?: object | null;
  body?: object | null;
  /** The sleep summary of the next day. */
  sleepAfter?: object | null;
  /** Steps per hour, from one source for the day. */
  hours?: object | null;
}

async function shown(records: readonly HealthRecord[]): Promise<Required<Shown>> {
  const { id, userKey } = await recordedUser(database, ...records);
  const day = (date: string, before: string) => ({ start: parseMoment(date)!, end: parseMoment(before)!, limit: 10 });
  const today = day(DAY, '2026-03-11');
  const first = <Row>({ data }: { data: Row[] }) => data[0] ?? null;
  return {
    activity: first(await readActivity(database, userKey, { ...today, sortOrder: 'asc' })),
    sleep: first(await readSleepSummary(database, userKey, today)),
    sleepAfter: first(await readSleepSummary(database, userKey, day('2026-03-11', '2026-03-12'))),
    recovery: first(await readRecovery(database, userKey, today)),
    hours: (
      await readTimeseries(database, id, {
        ...today,
        endName: 'end_time',
        types: ['steps'],
        resolution: '1hour',
        filterByPriority: true,
      })
    ).data.map(({ value, source: { provider } }) => ({ value, provider })),
    body: await readBody(database, userKey, {
      nowMs: Date.parse(at('18:00')),
      averageDays: 7,
      latestHours: 24,
      withheld: new Set(),
    }),
  };
}

const of = (provider: string) => expect.objectContaining({ provider });
const device = (name: string) => expect.objectContaining({ device: name });

const polarDay = [
  ...['08:00', '08:30', '17:00', '17:30'].map((clock) => measured(IPHONE, 'steps', 1050, clock)),
  total(POLAR, 'steps', 9000),
  total(POLAR, 'distance_walking_running', 6300),
  measured(IPHONE, 'distance_walking_running', 2900),
];
const polarShown = { steps: 9000, distance_meters: 6300, sources: expect.objectContaining({ movement: of('polar') }) };
const ouraNight = sleep(OURA, evening('22:00'), at('05:00'), { asleep: 420 });

type Example = [number: string, about: string, records: HealthRecord[], expected: Shown];
const EXAMPLES: Example[] = [
  ['1', 'phone 4,200 steps, Polar watch 9,000', polarDay, { activity: polarShown }],
  ['1', 'the same with a Suunto watch 9,900', [...polarDay, total(SUUNTO, 'steps', 9900)], { activity: polarShown }],
  [
    '2',
    'iPhone carried all day 6,100; Garmin 11,200',
    [measured(IPHONE, 'steps', 6100), total(GARMIN, 'steps', 11_200)],
    { activity: { steps: 11_200 } },
  ],
  [
    '3',
    'running day: Garmin so far 1,900; Apple Watch 2,100',
    [total(GARMIN, 'steps', 1900), measured(APPLE_WATCH, 'steps', 2100)],
    { activity: { steps: 2100 } },
  ],
  [
    '3',
    'the same day in the evening: Garmin 11,200; Apple Watch 10,400',
    [total(GARMIN, 'steps', 11_200), measured(APPLE_WATCH, 'steps', 10_400)],
    { activity: { steps: 10_400 } },
  ],
  [
    '4',
    'ill at home: Apple Watch 900; ring 640',
    [measured(APPLE_WATCH, 'steps', 900), total(OURA, 'steps', 640)],
    { activity: { steps: 900 } },
  ],
  [
    '5',
    'watch charging since 13:00, 5,000; phone 9,000; ring 11,000',
    [
      measured(APPLE_WATCH, 'steps', 5000),
      measured(APPLE_WATCH, 'energy', 200),
      measured(APPLE_WATCH, 'heart_rate', 90),
      measured(IPHONE, 'steps', 9000),
      total(OURA, 'steps', 11_000),
      total(OURA, 'energy', 480),
      measured(OURA, 'heart_rate', 70),
    ],
    { activity: { steps: 11_000, active_calories_kcal: 480, heart_rate: expect.objectContaining({ avg_bpm: 70 }) } },
  ],
  [
    '6',
    'an app writes floors and no steps; Garmin 11,200',
    [measured(APP, 'flights_climbed', 20), total(GARMIN, 'steps', 11_200)],
    { activity: { steps: 11_200, floors_climbed: null } },
  ],
  ...[180, 170].map(
    (minutes): Example => [
      '7',
      `Apple Watch ${minutes} min and a nap of 40 min; Oura 420 min`,
      [
        sleep(APPLE_WATCH, evening('22:30'), at('02:00'), { asleep: minutes }),
        sleep(APPLE_WATCH, at('14:00'), at('14:40'), { asleep: 40, isNap: minutes >= 180 }),
        measured(APPLE_WATCH, 'heart_rate_variability_sdnn', 60, '01:00'),
        measured(OURA, 'heart_rate_variability_rmssd', 45, '01:00'),
        ouraNight,
      ],
      {
        sleep: {
          duration_minutes: 420,
          avg_hrv_rmssd_ms: 45,
          avg_hrv_sdnn_ms: null,
          nap_count: 1,
          nap_duration_minutes: 40,
          sources: expect.objectContaining({ sleep: of('oura'), hrv: of('oura'), naps: of('apple') }),
        },
      },
    ],
  ),
  [
    '7',
    'night shift: watch splits a sleep into night and nap, ring records it whole',
    [
      sleep(APPLE_WATCH, at('07:00'), at('10:10'), { asleep: 190 }),
      sleep(APPLE_WATCH, at('13:00'), at('15:00'), { asleep: 120, isNap: true }),
      sleep(OURA, at('07:00'), at('15:00'), { asleep: 480 }),
    ],
    { sleep: { source: of('oura'), duration_minutes: 480, total_duration_minutes: 480, nap_count: 0 } },
  ],
  [
    '11',
    'ring 420 min at night; watch 90 min at 21:00, marked as a nap',
    [ouraNight, sleep(APPLE_WATCH, at('21:00'), at('22:30'), { asleep: 90, isNap: true })],
    { sleep: { source: of('oura'), duration_minutes: 420, nap_count: 0 } },
  ],
  [
    '8',
    'Garmin in a drawer 57, with 12 kcal; phone 8,000, with 250 kcal',
    [
      total(GARMIN, 'steps', 57),
      total(GARMIN, 'energy', 12),
      measured(IPHONE, 'steps', 8000),
      measured(IPHONE, 'energy', 250),
    ],
    { activity: { steps: 8000, active_calories_kcal: 250 } },
  ],
  [
    '8',
    'ring worn only at night 300; phone 8,000',
    [total(OURA, 'steps', 300), measured(IPHONE, 'steps', 8000)],
    { activity: { steps: 8000 } },
  ],
  ...[PHONE_APP, APP].map(
    (app): Example => [
      '9',
      `sleep app that never stopped, 750 min${app.deviceModel ? '' : ', without a device'}; Garmin 365`,
      [
        sleep(app, evening('22:00'), at('10:30'), { asleep: 750 }),
        sleep(GARMIN, evening('23:00'), at('05:30'), { asleep: 365 }),
      ],
      { sleep: { duration_minutes: 365, source: of('garmin') } },
    ],
  ),
  [
    '9',
    'sleep app that ran for 35 hours; ring 460 and 440 min in two nights',
    [
      sleep(PHONE_APP, evening('20:00'), at('07:00', '2026-03-11'), { asleep: 2000 }),
      sleep(OURA, evening('22:00'), at('06:00'), { asleep: 460 }),
      sleep(OURA, at('22:00'), at('06:00', '2026-03-11'), { asleep: 440 }),
    ],
    {
      sleep: { source: of('oura'), duration_minutes: 460 },
      sleepAfter: { source: of('oura'), duration_minutes: 440 },
    },
  ],
  [
    '9',
    'sleep app 750 min; Garmin 365 and a nap of 45 in the same time',
    [
      sleep(APP, evening('22:00'), at('10:30'), { asleep: 750 }),
      sleep(GARMIN, evening('23:00'), at('05:30'), { asleep: 365 }),
      sleep(GARMIN, at('09:30'), at('10:15'), { asleep: 45, isNap: true }),
    ],
    { sleep: { source: of('garmin'), duration_minutes: 365, nap_count: 1, nap_duration_minutes: 45 } },
  ],
  [
    '10',
    'flight: watch wakes on the 10th at 23:40 by its clock, ring on the 11th at 04:40',
    [
      sleep(APPLE_WATCH, at('20:40'), at('04:40', '2026-03-11'), { asleep: 460, offset: -300 }),
      sleep(OURA, at('20:40'), at('04:40', '2026-03-11'), { asleep: 460 }),
    ],
    { sleep: { source: of('apple'), duration_minutes: 460 }, sleepAfter: null },
  ],
  [
    '10',
    'the same, but the watch died after 40 min',
    [
      sleep(APPLE_WATCH, at('20:40'), at('21:20'), { asleep: 40, offset: -300 }),
      sleep(OURA, at('20:40'), at('04:40', '2026-03-11'), { asleep: 460 }),
    ],
    { sleep: null, sleepAfter: { source: of('oura'), duration_minutes: 460, nap_count: 0 } },
  ],
  ...[1, 2].map(
    (naps): Example => [
      '11',
      `ring 420 min at night, watch only for ${naps} nap${naps > 1 ? 's' : ''}`,
      [
        ouraNight,
        sleep(APPLE_WATCH, at('13:00'), at('14:30'), { asleep: 90 }),
        ...(naps > 1 ? [sleep(APPLE_WATCH, at('17:00'), at('17:30'), { asleep: 30 })] : []),
      ],
      {
        sleep: {
          duration_minutes: 420,
          nap_count: naps,
          sources: expect.objectContaining({ sleep: of('oura'), naps: of('apple') }),
        },
      },
    ],
  ),
  [
    '12',
    'phone "in bed" 540 min; ring asleep 415 min of 430 in bed',
    [
      sleep(IPHONE, evening('21:30'), at('06:30'), { inBed: 540 }),
      sleep(OURA, evening('22:00'), at('05:10'), { asleep: 415, inBed: 430 }),
    ],
    { sleep: { duration_minutes: 415, time_in_bed_minutes: 430, source: of('oura') } },
  ],
  [
    '13',
    'Oura wins the sleep with RMSSD and saturation; Apple Watch has SDNN and respiration',
    [
      sleep(APPLE_WATCH, at('00:00'), at('02:00'), { asleep: 120 }),
      ouraNight,
      measured(OURA, 'heart_rate_variability_rmssd', 45, '01:00'),
      measured(OURA, 'oxygen_saturation', 97, '01:00'),
      measured(APPLE_WATCH, 'heart_rate_variability_sdnn', 60, '01:00'),
      measured(APPLE_WATCH, 'respiratory_rate', 14.5, '01:00'),
    ],
    {
      sleep: {
        avg_hrv_rmssd_ms: 45,
        avg_hrv_sdnn_ms: null,
        avg_spo2_percent: 97,
        avg_respiratory_rate: 14.5,
        sources: expect.objectContaining({
          hrv: of('oura'),
          oxygen_saturation: of('oura'),
          respiratory_rate: of('apple'),
        }),
      },
      recovery: { avg_hrv_rmssd_ms: 45, avg_hrv_sdnn_ms: null, avg_spo2_percent: 97 },
    },
  ],
  [
    '14',
    'ring wins the night; WHOOP band off after 60 min, its recovery score 31',
    [
      ouraNight,
      measured(OURA, 'heart_rate_variability_rmssd', 45, '01:00'),
      sleep(WHOOP, evening('22:00'), evening('23:00'), { asleep: 60 }),
      {
        kind: 'health_score',
        source: WHOOP,
        category: 'recovery',
        value: 31,
        atMs: Date.parse(at('05:30')),
        offsetMinutes: 0,
      },
    ],
    { recovery: { recovery_score: null, avg_hrv_rmssd_ms: 45, sources: expect.objectContaining({ score: null }) } },
  ],
  [
    '15',
    'weight 82.0 typed in 2023, 71.3 from a scale yesterday',
    [
      sample('weight', '2023-05-01T08:00:00Z', 82, { source: TYPED, offsetMinutes: 0 }),
      measured(SCALE, 'weight', 71.3, '07:00', '2026-03-09'),
    ],
    { body: { slow_changing: expect.objectContaining({ weight_kg: 71.3 }) } },
  ],
  [
    '16',
    'two Oura accounts, 10,200 and 8,700',
    [total({ ...OURA, account: 'o2' }, 'steps', 8700), total(OURA, 'steps', 10_200)],
    { activity: { steps: 10_200 } },
  ],
  [
    '16',
    'two Oura accounts with equal steps: the account decides',
    [
      total({ ...OURA, account: 'o2' }, 'steps', 8700),
      total({ ...OURA, account: 'o2' }, 'distance_walking_running', 6200),
      total(OURA, 'steps', 8700),
      total(OURA, 'distance_walking_running', 6100),
    ],
    { activity: { steps: 8700, distance_meters: 6100 } },
  ],
  [
    '17',
    'WHOOP band without steps and phone 4,000, both with energy',
    [
      measured(WHOOP, 'energy', 610),
      measured(WHOOP, 'heart_rate', 64),
      measured(IPHONE, 'steps', 4000),
      measured(IPHONE, 'energy', 200),
    ],
    {
      activity: {
        steps: 4000,
        active_calories_kcal: 610,
        heart_rate: expect.objectContaining({ avg_bpm: 64 }),
        sources: expect.objectContaining({
          movement: device('iPhone15,2'),
          energy: of('whoop'),
          heart_rate: of('whoop'),
        }),
      },
    },
  ],
  [
    '18',
    'typed entry of 30,000 steps; Garmin 11,200',
    [measured(TYPED, 'steps', 30_000), total(GARMIN, 'steps', 11_200)],
    { activity: { steps: 11_200 } },
  ],
  [
    '19',
    'night shift: Garmin’s resting heart rate at local midnight; Apple’s night 08:30 to 15:40',
    [
      measured(GARMIN, 'resting_heart_rate', 51, '00:00'),
      sleep(APPLE_WATCH, at('08:30'), at('15:40'), { asleep: 400 }),
    ],
    {
      recovery: {
        resting_heart_rate_bpm: 51,
        sources: expect.objectContaining({ sleep: of('apple'), resting_heart_rate: of('garmin') }),
      },
    },
  ],
  [
    '20',
    'Oura’s total of 11,000 wins the day; the hourly values are those of the Apple Watch',
    [
      total(OURA, 'steps', 11_000),
      measured(APPLE_WATCH, 'steps', 3000, '08:10'),
      measured(APPLE_WATCH, 'steps', 2000, '17:10'),
      measured(IPHONE, 'steps', 8000, '08:10'),
    ],
    {
      activity: { steps: 11_000 },
      hours: [
        { value: 3000, provider: 'apple' },
        { value: 2000, provider: 'apple' },
      ],
    },
  ],
];

describe('worked examples of source selection', () => {
  test.each(EXAMPLES)('%s: %s', async (_number, _about, records, expected) => {
    for (const order of [records, records.toReversed()]) {
      const results = await shown(order);
      for (const [name, row] of Object.entries(expected)) {
        const response = results[name as keyof Shown];
        if (row === null) expect(response).toBeNull();
        else expect(response).toMatchObject(row);
      }
    }
  });
});

test('selects the lower identity between watches with equal sleep', async () => {
  const newer: SourceIdentity = { ...APPLE_WATCH, deviceModel: 'Watch7,5' };
  const records = [newer, APPLE_WATCH].flatMap((source) => [
    sleep(source, at('22:00', '2026-03-09'), at('06:00')),
    measured(source, 'heart_rate', source === newer ? 70 : 50, '02:00'),
  ]);
  for (const order of [records, records.toReversed()]) {
    const { sleep: night } = await shown(order);
    expect(night).toMatchObject({ avg_heart_rate_bpm: 50, source: { device: expect.stringContaining('6') } });
  }
});
