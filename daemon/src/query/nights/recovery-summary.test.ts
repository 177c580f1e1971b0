import {
  type HealthRecord,
  MS_PER_MINUTE,
  type ProviderId,
  type SampleRecord,
  type SeriesCode,
  type SleepStage,
  type SourceIdentity,
} from '@healthd/model';
import { parseMoment } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { recordedUser } from '../../../../test/support/recorded-user.js';
import { GARMIN, type SampleFacts, sample, samplesEvery, WATCH } from '../../../../test/support/records.js';
import { readRecovery } from './recovery-summary.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => database.drop());

const of = (provider: ProviderId): SourceIdentity => ({ provider });
const OURA: SourceIdentity = { provider: 'oura', deviceModel: 'Oura Ring Gen3', deviceType: 'ring' };
const RESTING = 'resting_heart_rate';
const RMSSD = 'heart_rate_variability_rmssd';
const SDNN = 'heart_rate_variability_sdnn';
const OXYGEN = 'oxygen_saturation';

interface NightFacts {
  source?: SourceIdentity;
  offsetMinutes?: number;
  stages?: [SleepStage, minutes: number][];
  isNap?: boolean;
  asleepSeconds?: number;
  inBedSeconds?: number;
  efficiencyPercent?: number;
}

function night(start: string, end: string, { source = WATCH, stages, isNap = false, ...facts }: NightFacts = {}) {
  let at = Date.parse(start);
  const intervals = stages?.map(([stage, minutes]) => {
    const startMs = at;
    at += minutes * MS_PER_MINUTE;
    return { stage, startMs, endMs: at };
  });
  const span = { startMs: Date.parse(start), endMs: Date.parse(end) };
  return { kind: 'sleep_session', source, isNap, ...span, ...facts, stages: intervals } satisfies HealthRecord;
}

function score(
  source: SourceIdentity,
  at: string,
  value: number,
  components: Record<string, number | null> = {},
): HealthRecord {
  const filled = Object.entries(components).map(([name, part]) => [name, { value: part, qualifier: null }]);
  const facts = { atMs: Date.parse(at), value, components: Object.fromEntries(filled) };
  return { kind: 'health_score', source, category: 'recovery', ...facts };
}

async function recovery(records: HealthRecord[], start = '2026-03-01', end = '2026-04-01', limit = 50) {
  const { userKey } = await recordedUser(database, ...records);
  const [from, to] = [parseMoment(start), parseMoment(end)];
  if (!from || !to) throw new Error('unreadable test bound');
  const read = (cursor?: string) => readRecovery(database, userKey, { start: from, end: to, limit, cursor });
  return { first: await read(), read };
}

async function rowsOf(...records: HealthRecord[]) {
  return (await recovery(records)).first.data;
}

const row = (date: string, facts: Record<string, unknown>) =>
  expect.objectContaining({
    date,
    sleep_duration_seconds: null,
    sleep_efficiency_percent: null,
    resting_heart_rate_bpm: null,
    avg_hrv_sdnn_ms: null,
    avg_hrv_rmssd_ms: null,
    avg_spo2_percent: null,
    recovery_score: null,
    ...facts,
  });
const from =
  (source: SourceIdentity) =>
  (code: SeriesCode, start: string, value: number, facts: SampleFacts = {}) =>
    sample(code, start, value, { source, ...facts });

const whoop = from(of('whoop'));
const restingOnly = sample(RESTING, '2026-03-10T06:00:00Z', 58);
const full = [
  whoop(RESTING, '2026-03-10T07:00:00Z', 52),
  whoop(RMSSD, '2026-03-10T07:00:00Z', 88),
  score(of('whoop'), '2026-03-10T07:00:00Z', 67),
];

describe('recovery dates per vendor', () => {
  const oura = from(OURA);
  const afterWaking = '2026-03-10T13:05:00Z';
  const google = from(of('google'));
  const appleDay = [
    sample(RESTING, '2026-03-10T08:00:00Z', 58, { offsetMinutes: -480 }),
    sample(SDNN, '2026-03-10T10:10:00Z', 72, { offsetMinutes: -480 }),
    sample(SDNN, '2026-03-10T13:40:00Z', 64, { offsetMinutes: -480 }),
    sample(SDNN, '2026-03-10T23:00:00Z', 31, { offsetMinutes: -480 }),
  ];
  const garmin = from(GARMIN);

  it.each<[says: string, records: HealthRecord[], rows: unknown[]]>([
    [
      'Oura: assigns a bedtime heart rate and dated saturation to the night',
      [
        night('2026-03-09T21:10:00Z', '2026-03-10T05:20:00Z', {
          source: OURA,
          offsetMinutes: 120,
          stages: [['light', 425]],
          asleepSeconds: 25_500,
          inBedSeconds: 29_400,
          efficiencyPercent: 87,
        }),
        oura(RESTING, '2026-03-09T21:10:00Z', 48, { offsetMinutes: 120 }),
        ...samplesEvery(RMSSD, '2026-03-09T22:00:00Z', 5, [60.04, 61.37, 62.7], { source: OURA, offsetMinutes: 120 }),
        oura(OXYGEN, '2026-03-10T00:00:00Z', 97.2),
      ],
      [
        row('2026-03-10', {
          source: expect.objectContaining({ provider: 'oura', device: 'Oura Ring Gen3', device_type: 'ring' }),
          resting_heart_rate_bpm: 48,
          avg_hrv_rmssd_ms: 61.4,
          avg_spo2_percent: 97.2,
          sleep_duration_seconds: 25_500,
          sleep_efficiency_percent: 87,
        }),
      ],
    ],
    [
      'Whoop: assigns values computed after waking to the night before',
      [
        night('2026-03-10T05:00:00Z', '2026-03-10T12:40:00Z', { source: of('whoop'), offsetMinutes: -300 }),
        whoop(RESTING, afterWaking, 52),
        whoop(RMSSD, afterWaking, 88.4),
        whoop(OXYGEN, afterWaking, 95.6),
        score(of('whoop'), afterWaking, 67),
      ],
      [
        row('2026-03-10', {
          resting_heart_rate_bpm: 52,
          avg_hrv_rmssd_ms: 88.4,
          avg_spo2_percent: 95.6,
          recovery_score: 67,
          sleep_duration_seconds: 27_600,
        }),
      ],
    ],
    [
      'Apple: ignores HRV of the afternoon',
      [night('2026-03-10T07:30:00Z', '2026-03-10T14:50:00Z', { offsetMinutes: -480 }), ...appleDay],
      [
        row('2026-03-10', {
          resting_heart_rate_bpm: 58,
          avg_hrv_sdnn_ms: 68,
          sleep_duration_seconds: 26_400,
        }),
      ],
    ],
    [
      'Apple: averages the HRV of a date without a night',
      [...appleDay],
      [row('2026-03-10', { resting_heart_rate_bpm: 58, avg_hrv_sdnn_ms: 55.7 })],
    ],
    [
      'Google: keeps the date of a total eight hours west of UTC',
      [
        google(RESTING, '2026-03-10T00:00:00Z', 61, { kind: 'daily_total' }),
        google('heart_rate', '2026-03-09T20:00:00Z', 70, { offsetMinutes: -480 }),
      ],
      [row('2026-03-10', { resting_heart_rate_bpm: 61 })],
    ],
    [
      'Garmin: prefers the average of the night to five-minute readings',
      [
        night('2026-03-09T22:41:00Z', '2026-03-10T06:00:00Z', { source: GARMIN, offsetMinutes: 60 }),
        garmin(RESTING, '2026-03-09T23:00:00Z', 51, { offsetMinutes: 60 }),
        garmin(RMSSD, '2026-03-09T22:41:00Z', 54, { offsetMinutes: 60, kind: 'aggregate' }),
        ...samplesEvery(
          RMSSD,
          '2026-03-09T22:45:00Z',
          5,
          Array.from({ length: 84 }, () => 53.2),
          { source: GARMIN, offsetMinutes: 60 },
        ),
      ],
      [
        row('2026-03-10', {
          resting_heart_rate_bpm: 51,
          avg_hrv_rmssd_ms: 54,
          sleep_duration_seconds: expect.any(Number),
        }),
      ],
    ],
    [
      'joins the resting heart rate of the date and sleep by day',
      [
        night('2026-03-10T07:30:00Z', '2026-03-10T14:40:00Z', { source: GARMIN, offsetMinutes: 60 }),
        garmin(RESTING, '2026-03-09T23:00:00Z', 51, { offsetMinutes: 60 }),
      ],
      [row('2026-03-10', { resting_heart_rate_bpm: 51, sleep_duration_seconds: 25_800 })],
    ],
    [
      'keeps the next day’s resting heart rate out of an evening sleep',
      [
        night('2026-03-10T13:00:00Z', '2026-03-10T19:30:00Z', { source: GARMIN, offsetMinutes: 60 }),
        garmin(RESTING, '2026-03-10T23:00:00Z', 51, { offsetMinutes: 60 }),
      ],
      [row('2026-03-11', { resting_heart_rate_bpm: 51 })],
    ],
    [
      'selects the preferred source of each group',
      [restingOnly, ...full],
      [
        row('2026-03-10', {
          source: expect.objectContaining({ provider: 'whoop' }),
          resting_heart_rate_bpm: 58,
          avg_hrv_rmssd_ms: 88,
          recovery_score: 67,
        }),
      ],
    ],
    [
      'never mixes sources in a group',
      [restingOnly, sample(SDNN, '2026-03-10T06:00:00Z', 44), ...full],
      [
        row('2026-03-10', {
          source: expect.objectContaining({ provider: 'apple', device: 'Watch6,2' }),
          resting_heart_rate_bpm: 58,
          avg_hrv_sdnn_ms: 44,
          recovery_score: 67,
        }),
      ],
    ],
    [
      'returns readings of a date without a night',
      [
        oura(RMSSD, '2026-03-10T06:00:00Z', 40),
        oura(RMSSD, '2026-03-10T07:00:00Z', 50),
        oura(RESTING, '2026-03-10T06:00:00Z', 60),
      ],
      [row('2026-03-10', { resting_heart_rate_bpm: 60, avg_hrv_rmssd_ms: 45 })],
    ],
    [
      'rounds a mean of 60.5 to 61',
      [sample(RESTING, '2026-03-10T08:00:00Z', 60), sample(RESTING, '2026-03-10T09:00:00Z', 61)],
      [row('2026-03-10', { resting_heart_rate_bpm: 61 })],
    ],
  ])('%s', async (_says, records, rows) => {
    expect(await rowsOf(...records)).toEqual(rows);
  });

  it("Polar: shows the score's HRV, but not its heart rate or grade", async () => {
    const parts = { heart_rate_avg: 52.4, heart_rate_variability_avg: 61.26, beat_to_beat_avg: 1100 };
    expect(await rowsOf(score(of('polar'), '2026-03-10T06:00:00Z', 4, parts))).toEqual([
      row('2026-03-10', { avg_hrv_rmssd_ms: 61.3 }),
    ]);
  });

  it('ignores an empty component of a score', async () => {
    const parts = { resting_heart_rate: null, hrv_rmssd_milli: 48.25, spo2_percentage: 0.965 };
    expect(await rowsOf(score(of('whoop'), '2026-03-10T06:00:00Z', 70.5, parts))).toEqual([
      row('2026-03-10', { avg_hrv_rmssd_ms: 48.3, avg_spo2_percent: 96.5, recovery_score: 71 }),
    ]);
  });

  it('Suunto: shows the last score up to noon', async () => {
    const suunto = (time: string, value: number) => score(of('suunto'), `2026-03-10T${time}:00Z`, value);
    const rows = await rowsOf(suunto('05:00', 40), suunto('12:00', 55), suunto('12:01', 90), suunto('20:00', 10));
    expect(rows).toEqual([row('2026-03-10', { recovery_score: 55 })]);
  });
});

describe('recovery from two sources', () => {
  it('attributes readings of another source to the night', async () => {
    const rows = await rowsOf(
      night('2026-03-09T22:00:00Z', '2026-03-10T06:00:00Z', {
        source: of('ultrahuman'),
        stages: [
          ['light', 120],
          ['awake', 60],
          ['deep', 300],
        ],
      }),
      sample(RMSSD, '2026-03-09T21:00:00Z', 90, { source: GARMIN }),
      sample(RMSSD, '2026-03-09T23:00:00Z', 40, { source: GARMIN }),
      sample(RMSSD, '2026-03-10T00:30:00Z', 70, { source: GARMIN }),
      sample(RMSSD, '2026-03-10T02:00:00Z', 50, { source: GARMIN }),
      sample(RESTING, '2026-03-10T05:00:00Z', 55, { source: GARMIN }),
    );
    expect(rows).toEqual([
      row('2026-03-09', { avg_hrv_rmssd_ms: 90 }),
      row('2026-03-10', { sleep_duration_seconds: 28_800, resting_heart_rate_bpm: 55, avg_hrv_rmssd_ms: 45 }),
    ]);
  });
});

describe('a recovery row', () => {
  it('is omitted for a date with sleep only', async () => {
    expect(await rowsOf(night('2026-03-09T22:00:00Z', '2026-03-10T06:00:00Z'))).toEqual([]);
  });

  it('does not count naps as sleep', async () => {
    const rows = await rowsOf(
      sample(RESTING, '2026-03-10T06:00:00Z', 58),
      night('2026-03-10T13:00:00Z', '2026-03-10T13:40:00Z', { isNap: true }),
    );
    expect(rows).toEqual([row('2026-03-10', { resting_heart_rate_bpm: 58 })]);
  });

  it('ignores implausible heart rates, HRV and saturations', async () => {
    const rows = await rowsOf(
      ...[16, 19, 151].map((bpm, at) => sample(RESTING, `2026-03-10T0${at}:00:00Z`, bpm)),
      sample(SDNN, '2026-03-10T03:00:00Z', 401),
      sample(OXYGEN, '2026-03-10T03:00:00Z', 97),
      sample(OXYGEN, '2026-03-10T04:00:00Z', 49),
    );
    expect(rows).toEqual([row('2026-03-10', { avg_spo2_percent: 97 })]);
  });

  it('is omitted if all readings of the date belong to another night', async () => {
    const { first } = await recovery([
      night('2026-03-09T21:00:00Z', '2026-03-10T05:00:00Z'),
      sample(SDNN, '2026-03-09T22:00:00Z', 50),
    ]);
    expect(first.data.map(({ date }) => date)).toEqual(['2026-03-10']);
    expect(first.pagination.total_count).toBe(1);
  });
});

describe('a list of dates', () => {
  const days = [10, 11, 12, 13, 14];
  const records: SampleRecord[] = days.flatMap((day) => [
    sample(RESTING, `2026-03-${day}T05:00:00Z`, day + 40),
    sample(RESTING, `2026-03-${day}T05:00:00Z`, 99, { source: GARMIN }),
  ]);

  it('pages in both directions with two providers per date', async () => {
    const { first, read } = await recovery(records, '2026-03-01', '2026-04-01', 2);
    expect(first.data.map(({ resting_heart_rate_bpm: bpm }) => bpm)).toEqual([50, 51]);
    expect(first.pagination).toMatchObject({ has_more: true, previous_cursor: null, total_count: 5 });
    const second = await read(first.pagination.next_cursor ?? '');
    const third = await read(second.pagination.next_cursor ?? '');
    expect(third.data.map(({ date }) => date)).toEqual(['2026-03-14']);
    expect(third.pagination).toMatchObject({ has_more: false, next_cursor: null, total_count: 5 });
    const back = await read(second.pagination.previous_cursor ?? '');
    expect(back.data).toEqual(first.data);
    expect((await read(back.pagination.next_cursor ?? '')).data).toEqual(second.data);
  });

  it.each([
    ['2026-03-10', '2026-03-10', []],
    ['2026-03-10', '2026-03-12', ['2026-03-10', '2026-03-11']],
    ['2026-03-10', '2026-03-12T00:00:01Z', ['2026-03-10', '2026-03-11', '2026-03-12']],
  ])('lists recovery dates from %s to %s', async (start, end, dates) => {
    const { first } = await recovery(records, start, end);
    expect(first.data.map(({ date }) => date)).toEqual(dates);
    expect(first.pagination.total_count).toBe(dates.length);
  });
});

it("prefers the sleep provider's score, even from another account", async () => {
  const account = (name: string): SourceIdentity => ({ provider: 'whoop', deviceType: 'band', account: name });
  const rows = await rowsOf(
    night('2026-03-09T22:00:00Z', '2026-03-10T05:00:00Z', { source: account('w1'), asleepSeconds: 25_200 }),
    // This sleep is too short to be selected, so the account is passed over.
    night('2026-03-09T22:00:00Z', '2026-03-10T00:00:00Z', { source: account('w2'), asleepSeconds: 7200 }),
    score(account('w2'), '2026-03-10T05:30:00Z', 31),
    score(of('ultrahuman'), '2026-03-10T05:30:00Z', 80),
  );
  expect(rows).toMatchObject([{ recovery_score: 31, sources: { score: { provider: 'whoop' } } }]);
});
