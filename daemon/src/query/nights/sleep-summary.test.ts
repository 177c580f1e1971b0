import {
  type HealthRecord,
  MS_PER_MINUTE,
  type SeriesCode,
  type SleepSessionRecord,
  type SleepStage,
  type SourceIdentity,
} from '@healthd/model';
import { parseMoment } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { recordedUser } from '../../../../test/support/recorded-user.js';
import { GARMIN, sample, WATCH } from '../../../../test/support/records.js';
import { readRecovery } from './recovery-summary.js';
import { readSleepSummary } from './sleep-summary.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => database.drop());

function session(
  source: SourceIdentity,
  start: string,
  end: string,
  facts: Partial<SleepSessionRecord> = {},
): HealthRecord {
  const ms = { startMs: Date.parse(start), endMs: Date.parse(end) };
  return { kind: 'sleep_session', source, isNap: false, ...ms, ...facts };
}

async function summaryOf(records: HealthRecord[], start: string, end: string, limit = 50) {
  const { userKey } = await recordedUser(database, ...records);
  const [from, to] = [parseMoment(start), parseMoment(end)];
  if (!from || !to) throw new Error('unreadable test bound');
  const read = (cursor?: string) => readSleepSummary(database, userKey, { start: from, end: to, limit, cursor });
  return { first: await read(), read };
}

describe('the sleep summary of a night', () => {
  it.each([
    [120, '2026-01-16'],
    [undefined, '2026-01-15'],
  ])('assigns a night ending at 22:30 UTC with offset %s to %s', async (offsetMinutes, date) => {
    const late = session(WATCH, '2026-01-15T15:00:00Z', '2026-01-15T22:30:00Z', { offsetMinutes });
    const { first } = await summaryOf([late], '2026-01-14', '2026-01-18');
    expect(first.data.map((day) => day.date)).toEqual([date]);
  });

  it('selects the best source for the night and each type of reading', async () => {
    const { first } = await summaryOf(
      [
        session(GARMIN, '2026-03-09T22:10:00Z', '2026-03-10T05:05:00Z', { asleepSeconds: 24_900 }),
        session(WATCH, '2026-03-09T22:00:00Z', '2026-03-10T06:00:00Z', { asleepSeconds: 25_800 }),
        sample('heart_rate', '2026-03-10T01:00:00Z', 50, { source: WATCH }),
        sample('heart_rate', '2026-03-10T02:00:00Z', 55, { source: WATCH }),
        sample('heart_rate', '2026-03-10T02:00:00Z', 90, { source: GARMIN }),
        sample('heart_rate_variability_rmssd', '2026-03-10T02:00:00Z', 61.4, { source: GARMIN }),
      ],
      '2026-03-10',
      '2026-03-11',
    );
    expect(first.data).toEqual([
      expect.objectContaining({
        date: '2026-03-10',
        source: expect.objectContaining({ provider: 'apple' }),
        duration_minutes: 430,
        avg_heart_rate_bpm: 53,
        avg_hrv_rmssd_ms: 61.4,
        avg_hrv_sdnn_ms: null,
      }),
    ]);
  });

  it.each([
    [
      'a nap alone',
      session(WATCH, '2026-03-10T13:00:00Z', '2026-03-10T13:30:00Z', { isNap: true, asleepSeconds: 1_800 }),
    ],
    ['time in bed alone', session(WATCH, '2026-03-09T21:00:00Z', '2026-03-10T06:00:00Z', { inBedSeconds: 32_400 })],
    [
      'time in bed and 0 s asleep',
      session(WATCH, '2026-03-09T21:00:00Z', '2026-03-10T06:00:00Z', { inBedSeconds: 32_400, asleepSeconds: 0 }),
    ],
  ])('prefers a recorded night to a source with %s', async (_, poor) => {
    const night = session(GARMIN, '2026-03-09T22:10:00Z', '2026-03-10T05:05:00Z', { asleepSeconds: 24_900 });
    const { first } = await summaryOf([poor, night], '2026-03-10', '2026-03-11');
    expect(first.data).toMatchObject([{ source: { provider: 'garmin' }, duration_minutes: 415 }]);
  });
});

it('counts two versions of a vendor’s night once', async () => {
  const oura: SourceIdentity = { provider: 'oura' };
  const version = (externalId: string, end: string, minutes: number) =>
    session(oura, '2026-03-09T22:00:00Z', end, {
      externalId,
      asleepSeconds: minutes * 60,
      inBedSeconds: (minutes + 30) * 60,
    });
  const versions = [version('a', '2026-03-10T04:00:00Z', 290), version('b', '2026-03-10T05:00:00Z', 350)];
  const { first } = await summaryOf(versions, '2026-03-10', '2026-03-11');
  expect(first.data).toMatchObject([{ duration_minutes: 350, time_in_bed_minutes: 380, source: { provider: 'oura' } }]);
});

it('counts sleep between the stages of another session', async () => {
  const google: SourceIdentity = { provider: 'google', writer: 'google_health_api' };
  const light = (start: string, end: string) => ({
    stage: 'light' as const,
    startMs: Date.parse(start),
    endMs: Date.parse(end),
  });
  const split = session(google, '2026-03-09T22:00:00Z', '2026-03-10T07:00:00Z', {
    asleepSeconds: 14_400,
    stages: [
      light('2026-03-09T22:00:00Z', '2026-03-10T00:00:00Z'),
      light('2026-03-10T05:00:00Z', '2026-03-10T07:00:00Z'),
    ],
  });
  const between = session(google, '2026-03-10T01:00:00Z', '2026-03-10T04:00:00Z', { asleepSeconds: 10_800 });
  const { first } = await summaryOf([split, between], '2026-03-10', '2026-03-11');
  expect(first.data).toMatchObject([{ duration_minutes: 420 }]);
});

it("assigns a session in another session's gap to the later date", async () => {
  const google: SourceIdentity = { provider: 'google', writer: 'google_health_api', account: 'g1' };
  const samsung: SourceIdentity = { provider: 'samsung', deviceModel: 'Galaxy Watch', deviceType: 'watch' };
  const light = (start: string, end: string) => ({
    stage: 'light' as const,
    startMs: Date.parse(start),
    endMs: Date.parse(end),
  });
  const records = [
    session(google, '2026-03-09T18:00:00Z', '2026-03-10T00:30:00Z', {
      asleepSeconds: 9_000,
      stages: [
        light('2026-03-09T18:00:00Z', '2026-03-09T20:00:00Z'),
        light('2026-03-10T00:00:00Z', '2026-03-10T00:30:00Z'),
      ],
    }),
    session(google, '2026-03-09T21:00:00Z', '2026-03-09T23:30:00Z', { asleepSeconds: 9_000 }),
    session(samsung, '2026-03-09T18:00:00Z', '2026-03-10T00:30:00Z', { asleepSeconds: 20_000 }),
  ];
  const { first } = await summaryOf(records, '2026-03-09', '2026-03-11');
  expect(first.data).toMatchObject([{ date: '2026-03-10', duration_minutes: 300, source: { provider: 'google' } }]);
});

// A source may flag a part of the night as a nap. The part counts as night if it is a copy of another source's night.
it('shows the same sleep duration in sleep and recovery despite a nap', async () => {
  const records = [
    session(WATCH, '2026-03-09T22:00:00Z', '2026-03-10T04:00:00Z', { isNap: true, asleepSeconds: 18_000 }),
    session(WATCH, '2026-03-10T03:00:00Z', '2026-03-10T06:00:00Z', { asleepSeconds: 7_200 }),
    session(GARMIN, '2026-03-09T22:00:00Z', '2026-03-10T06:00:00Z', { asleepSeconds: 25_200 }),
    sample('resting_heart_rate', '2026-03-10T06:00:00Z', 58),
  ];
  const { userKey } = await recordedUser(database, ...records);
  const [start, end] = [parseMoment('2026-03-10'), parseMoment('2026-03-11')];
  if (!start || !end) throw new Error('unreadable test bound');
  const params = { start, end, limit: 50, cursor: undefined };
  expect((await readSleepSummary(database, userKey, params)).data).toMatchObject([
    { source: { provider: 'apple' }, duration_minutes: 380, nap_count: 0 },
  ]);
  expect((await readRecovery(database, userKey, params)).data).toMatchObject([{ sleep_duration_seconds: 22_800 }]);
});

describe('physiology of a night that another provider recorded', () => {
  const polar: SourceIdentity = { provider: 'polar', deviceModel: 'Polar Vantage', deviceType: 'watch' };
  const at = (minute: number) => Date.parse('2026-03-09T22:00:00Z') + minute * MS_PER_MINUTE;
  const stages = [
    { stage: 'light' as const, startMs: at(0), endMs: at(240) },
    { stage: 'awake' as const, startMs: at(240), endMs: at(300) },
    { stage: 'deep' as const, startMs: at(300), endMs: at(480) },
  ];
  const night = session(polar, '2026-03-09T22:00:00Z', '2026-03-10T06:00:00Z', { stages, asleepSeconds: 25_200 });
  const day = async (...records: HealthRecord[]) =>
    (await summaryOf(records, '2026-03-10', '2026-03-11')).first.data[0];

  it('fills in readings from a watch without sleep sessions', async () => {
    const shown = await day(
      night,
      sample('heart_rate', '2026-03-09T20:00:00Z', 90, { source: WATCH }),
      sample('heart_rate', '2026-03-09T23:00:00Z', 50, { source: WATCH }),
      sample('heart_rate', '2026-03-10T02:30:00Z', 80, { source: WATCH }),
      sample('heart_rate', '2026-03-10T05:00:00Z', 54, { source: WATCH }),
      sample('heart_rate', '2026-03-10T08:00:00Z', 100, { source: WATCH }),
      sample('heart_rate_variability_sdnn', '2026-03-10T01:00:00Z', 42, { source: WATCH }),
      sample('heart_rate_variability_sdnn', '2026-03-10T01:30:00Z', 4000, { source: WATCH }),
      sample('oxygen_saturation', '2026-03-10T01:00:00Z', 97, { source: WATCH }),
    );
    expect(shown).toMatchObject({
      source: { provider: 'polar' },
      duration_minutes: 420,
      avg_heart_rate_bpm: 52,
      avg_hrv_sdnn_ms: 42,
      avg_spo2_percent: 97,
      avg_hrv_rmssd_ms: null,
      avg_respiratory_rate: null,
    });
  });

  it('selects the source of the night first, then by class and priority', async () => {
    const rate = (source: SourceIdentity, value: number) =>
      sample('heart_rate', '2026-03-10T00:30:00Z', value, { source });
    const oura: SourceIdentity = { provider: 'oura' };
    expect(await day(night, rate(oura, 61), rate(GARMIN, 55))).toMatchObject({ avg_heart_rate_bpm: 55 });
    expect(await day(night, rate(polar, 48), rate(WATCH, 52))).toMatchObject({ avg_heart_rate_bpm: 48 });
    const theirs = session(oura, '2026-03-09T22:00:00Z', '2026-03-10T06:00:00Z');
    expect(await day(night, theirs, rate(oura, 61), rate(WATCH, 52))).toMatchObject({
      source: { provider: 'polar' },
      avg_heart_rate_bpm: 52,
    });
  });

  it.each(['polar', 'suunto', 'whoop'] as const)(
    'ignores a heart rate that %s measured after waking up',
    async (provider) => {
      const source: SourceIdentity = { provider, deviceModel: 'Morning', deviceType: 'watch', account: 'a1' };
      const { first } = await summaryOf(
        [
          session(WATCH, '2026-03-09T22:00:00Z', '2026-03-10T05:00:00Z'),
          sample('heart_rate', '2026-03-10T07:00:00Z', 140, { source, offsetMinutes: 0 }),
          sample('heart_rate_variability_rmssd', '2026-03-10T07:00:00Z', 60, { source, offsetMinutes: 0 }),
        ],
        '2026-03-10',
        '2026-03-11',
      );
      // The vendors' HRV is a single value for the night, stamped after the night.
      expect(first.data).toMatchObject([{ avg_heart_rate_bpm: null, avg_hrv_rmssd_ms: 60 }]);
      expect(first.data).toMatchObject([{ sources: { heart_rate: null, hrv: { provider } } }]);
    },
  );

  it('shows no readings for a nap alone', async () => {
    const nap = session(polar, '2026-03-10T13:00:00Z', '2026-03-10T13:30:00Z', { isNap: true });
    const rate = sample('heart_rate', '2026-03-10T13:10:00Z', 52, { source: WATCH });
    const google: SourceIdentity = { provider: 'google', writer: 'google_health_api' };
    const facts = { source: google, kind: 'daily_total' as const, offsetMinutes: 60 };
    const dated = sample('heart_rate_variability_rmssd', '2026-03-09T23:00:00Z', 33, facts);
    expect(await day(nap, rate, dated)).toMatchObject({
      nap_count: 1,
      avg_heart_rate_bpm: null,
      avg_hrv_rmssd_ms: null,
    });
  });

  it('falls back to waking readings for nights without readings during sleep', async () => {
    const rate = (source: SourceIdentity, start: string, value: number) =>
      sample('heart_rate', start, value, { source });
    const awake = rate(WATCH, '2026-03-10T02:30:00Z', 120);
    expect(await day(night, awake, rate(WATCH, '2026-03-10T00:30:00Z', 52))).toMatchObject({ avg_heart_rate_bpm: 52 });
    expect(await day(night, awake)).toMatchObject({ avg_heart_rate_bpm: 120 });
    const unstaged = session(polar, '2026-03-09T22:00:00Z', '2026-03-10T06:00:00Z');
    expect(await day(unstaged, awake)).toMatchObject({ avg_heart_rate_bpm: 120 });
  });
});

describe("a vendor's nightly mean", () => {
  const polar: SourceIdentity = { provider: 'polar', writer: 'polar_api' };
  const night = session(polar, '2026-03-09T22:00:00Z', '2026-03-10T06:00:00Z', { offsetMinutes: 60 });
  const of = (code: SeriesCode, time: string, value: number, kind: 'sample' | 'aggregate') =>
    sample(code, `2026-03-10T${time}:00Z`, value, { source: polar, kind, offsetMinutes: 60 });
  const rmssd = 'heart_rate_variability_rmssd';

  it("is the night's HRV in sleep and recovery", async () => {
    const records = [night, of(rmssd, '01:00', 10, 'sample'), of(rmssd, '01:05', 18.6, 'sample')];
    const { userKey } = await recordedUser(database, ...records, of(rmssd, '06:00', 28, 'aggregate'));
    const [start, end] = [parseMoment('2026-03-10'), parseMoment('2026-03-11')];
    if (!start || !end) throw new Error('unreadable test bound');
    const params = { start, end, limit: 50, cursor: undefined };
    expect((await readSleepSummary(database, userKey, params)).data[0]?.avg_hrv_rmssd_ms).toBe(28);
    expect((await readRecovery(database, userKey, params)).data[0]?.avg_hrv_rmssd_ms).toBe(28);
  });

  it('does not replace respiratory readings during sleep', async () => {
    const records = [of('respiratory_rate', '01:00', 15, 'sample'), of('respiratory_rate', '06:00', 13, 'aggregate')];
    const { first } = await summaryOf([night, ...records], '2026-03-10', '2026-03-11');
    expect(first.data[0]?.avg_respiratory_rate).toBe(15);
  });
});

describe("a vendor's value for a date", () => {
  const google: SourceIdentity = { provider: 'google', writer: 'google_health_api' };
  const night = session(google, '2026-03-09T22:00:00Z', '2026-03-10T06:00:00Z', { offsetMinutes: 60 });
  const rate = (start: string, value: number, kind: 'sample' | 'daily_total' = 'sample', source = google) =>
    sample('respiratory_rate', start, value, { source, kind, offsetMinutes: 60 });
  const dated = rate('2026-03-09T23:00:00Z', 14.2, 'daily_total');
  const day = async (...records: HealthRecord[]) =>
    (await summaryOf([night, ...records], '2026-03-10', '2026-03-11')).first.data[0];

  it('is used if the night has no readings', async () => {
    expect(await day(dated, rate('2026-03-10T12:00:00Z', 19))).toMatchObject({ avg_respiratory_rate: 14.2 });
    expect(await day(rate('2026-03-10T23:00:00Z', 15, 'daily_total'))).toMatchObject({ avg_respiratory_rate: null });
  });

  it('ranks behind readings of the night', async () => {
    expect(await day(dated, rate('2026-03-10T02:00:00Z', 16))).toMatchObject({ avg_respiratory_rate: 16 });
  });

  it('is used from another source if the winning source has no readings', async () => {
    const theirs = session(GARMIN, '2026-03-09T22:00:00Z', '2026-03-10T05:00:00Z');
    const records = [theirs, rate('2026-03-10T02:00:00Z', 17, 'sample', GARMIN)];
    const best = (await day(...records, dated))?.source.provider;
    expect(best).toBe('garmin');
    expect(await day(...records, dated)).toMatchObject({ avg_respiratory_rate: 17 });
    expect(await day(theirs, dated)).toMatchObject({ avg_respiratory_rate: 14.2 });
  });

  it('applies to HRV and saturation, but not to heart rate', async () => {
    const facts = { source: google, kind: 'daily_total' as const, offsetMinutes: 60 };
    const shown = await day(
      sample('heart_rate_variability_rmssd', '2026-03-09T23:00:00Z', 31.5, facts),
      sample('oxygen_saturation', '2026-03-09T23:00:00Z', 96.5, facts),
      sample('heart_rate', '2026-03-09T23:00:00Z', 71, facts),
    );
    expect(shown).toMatchObject({ avg_hrv_rmssd_ms: 31.5, avg_spo2_percent: 96.5, avg_heart_rate_bpm: null });
  });
});

it('pages by days, not by sources', async () => {
  const nights = [10, 11, 12, 13, 14].flatMap((day) =>
    [WATCH, GARMIN].map((source) => session(source, `2026-03-${day}T00:00:00Z`, `2026-03-${day}T06:00:00Z`)),
  );
  const { first, read } = await summaryOf(nights, '2026-03-01', '2026-04-01', 2);
  expect(first.data.map((day) => day.date)).toEqual(['2026-03-10', '2026-03-11']);
  expect(first.pagination).toMatchObject({ has_more: true, total_count: 5 });
  const second = await read(first.pagination.next_cursor ?? '');
  const third = await read(second.pagination.next_cursor ?? '');
  expect(third.data.map((day) => day.date)).toEqual(['2026-03-14']);
  const back = await read(second.pagination.previous_cursor ?? '');
  expect(back.data).toEqual(first.data);
});

describe('interruptions', () => {
  const at = (minute: number) => Date.parse('2026-03-09T22:00:00Z') + minute * MS_PER_MINUTE;
  type StageSpan = [stage: SleepStage, from: number, to: number];
  const interruptionsOf = async (spans: StageSpan[] | undefined) => {
    const stages = spans?.map(([stage, from, to]) => ({ stage, startMs: at(from), endMs: at(to) }));
    const night = session(WATCH, '2026-03-09T22:00:00Z', '2026-03-10T02:00:00Z', stages && { stages });
    const { first } = await summaryOf([night], '2026-03-10', '2026-03-11');
    return first.data[0]?.interruptions_count;
  };

  it('are awake stages of a minute or more during sleep', async () => {
    const night: StageSpan[] = [
      ['awake', 0, 10],
      ['light', 10, 60],
      ['awake', 60, 61],
      ['deep', 61, 120],
      ['awake', 120, 120.5],
      ['rem', 120.5, 200],
      ['awake', 200, 220],
    ];
    expect(await interruptionsOf(night)).toBe(1);
  });

  it.each<[number | null, string, StageSpan[] | undefined]>([
    [null, 'without stages', undefined],
    [null, 'known only as in bed', [['in_bed', 0, 240]]],
    [null, 'known only as asleep', [['sleeping', 0, 240]]],
    [0, 'with sleep stages but no awake stage', [['light', 0, 240]]],
    [0, 'with awake stages alone', [['awake', 0, 240]]],
  ])('are %s for a night %s', async (expected, _, spans) => {
    expect(await interruptionsOf(spans)).toBe(expected);
  });
});
