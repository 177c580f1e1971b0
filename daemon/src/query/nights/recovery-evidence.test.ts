import type { HealthRecord, SeriesCode } from '@healthd/model';
import { parseMoment } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { recordedUser, writeRecords } from '../../../../test/support/recorded-user.js';
import { GARMIN, type SampleFacts, sample } from '../../../../test/support/records.js';
import { readRecovery } from './recovery-summary.js';

const RMSSD = 'heart_rate_variability_rmssd';
const OXYGEN = 'oxygen_saturation';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const garmin = (code: SeriesCode, start: string, value: number, facts: SampleFacts = {}) =>
  sample(code, start, value, { source: GARMIN, ...facts });
const garminNight = (start: string, end: string): HealthRecord => ({
  kind: 'sleep_session',
  source: GARMIN,
  isNap: false,
  offsetMinutes: 0,
  startMs: Date.parse(start),
  endMs: Date.parse(end),
});
const fullScore: HealthRecord = {
  kind: 'health_score',
  source: { provider: 'whoop' },
  category: 'recovery',
  value: 70,
  atMs: Date.parse('2026-03-10T06:00:00Z'),
  components: { spo2_percentage: { value: 1, qualifier: null } },
};

async function rowsOf(...records: HealthRecord[]) {
  return rowsStored((await recordedUser(database, ...records)).userKey);
}
async function rowsStored(userKey: number) {
  const [start, end] = [parseMoment('2026-03-01'), parseMoment('2026-04-01')];
  if (!start || !end) throw new Error('unreadable test bound');
  return (await readRecovery(database, userKey, { start, end, limit: 50, cursor: undefined })).data;
}
const row = (date: string, facts: Record<string, unknown>) =>
  expect.objectContaining({ date, avg_hrv_rmssd_ms: null, avg_spo2_percent: null, recovery_score: null, ...facts });

describe('reading the recovery of one date', () => {
  const slept = garminNight('2026-03-09T22:00:00Z', '2026-03-10T06:00:00Z');
  const at = { offsetMinutes: 0 };
  const aggregate = { offsetMinutes: 0, kind: 'aggregate' } as const;
  const hrv = (value: number) => [row('2026-03-10', { avg_hrv_rmssd_ms: value })];
  const oxygen = (value: number) => [row('2026-03-10', { avg_spo2_percent: value })];
  const withNight = (facts: Record<string, unknown>) => [row('2026-03-10', facts)];

  it.each<[says: string, records: HealthRecord[], rows: unknown[]]>([
    [
      'prefers the vendor’s average to readings of a day without a night',
      [
        garmin(RMSSD, '2026-03-10T06:00:00Z', 54, aggregate),
        garmin(RMSSD, '2026-03-10T07:00:00Z', 40, at),
        garmin(RMSSD, '2026-03-10T08:00:00Z', 50, at),
      ],
      hrv(54),
    ],
    [
      'prefers the vendor’s average of a date to readings of its night',
      [
        slept,
        garmin(RMSSD, '2026-03-10T00:00:00Z', 54, { kind: 'aggregate' }),
        garmin(RMSSD, '2026-03-10T01:00:00Z', 40, at),
        garmin(RMSSD, '2026-03-10T02:00:00Z', 50, at),
      ],
      withNight({ avg_hrv_rmssd_ms: 54 }),
    ],
    [
      'prefers the vendor’s average of a date to readings long after midnight',
      [
        garminNight('2026-03-10T07:30:00Z', '2026-03-10T14:50:00Z'),
        garmin(RMSSD, '2026-03-10T00:00:00Z', 54, { kind: 'aggregate' }),
        garmin(RMSSD, '2026-03-10T08:00:00Z', 40, at),
        garmin(RMSSD, '2026-03-10T09:00:00Z', 50, at),
      ],
      withNight({ avg_hrv_rmssd_ms: 54 }),
    ],
    [
      'prefers readings of the night to other readings of the date',
      [slept, garmin(RMSSD, '2026-03-10T01:00:00Z', 40, at), garmin(RMSSD, '2026-03-10T15:00:00Z', 90, at)],
      withNight({ avg_hrv_rmssd_ms: 40 }),
    ],
    [
      'prefers saturations in the night to the vendor’s value',
      [
        slept,
        garmin(OXYGEN, '2026-03-10T01:00:00Z', 95, at),
        garmin(OXYGEN, '2026-03-10T02:00:00Z', 97, at),
        garmin(OXYGEN, '2026-03-10T06:30:00Z', 90, aggregate),
        garmin(OXYGEN, '2026-03-10T15:00:00Z', 88, at),
      ],
      withNight({ avg_spo2_percent: 96 }),
    ],
    [
      'prefers the vendor’s saturation of a night to readings of the day',
      [
        garminNight('2026-03-10T01:00:00Z', '2026-03-10T06:00:00Z'),
        garmin(OXYGEN, '2026-03-10T06:30:00Z', 91, aggregate),
        garmin(OXYGEN, '2026-03-10T00:00:00Z', 93),
        garmin(OXYGEN, '2026-03-10T15:00:00Z', 99, at),
      ],
      withNight({ avg_spo2_percent: 92 }),
    ],
    [
      'prefers the vendor’s saturation to readings of a day without a night',
      [garmin(OXYGEN, '2026-03-10T12:00:00Z', 92, aggregate), garmin(OXYGEN, '2026-03-10T15:00:00Z', 98, at)],
      oxygen(92),
    ],
    [
      'reads a saturation of exactly 1 as 100 %',
      [fullScore],
      [row('2026-03-10', { avg_spo2_percent: 100, recovery_score: 70 })],
    ],
  ])('%s', async (_says, records, rows) => {
    expect(await rowsOf(...records)).toEqual(rows);
  });

  it.each([
    ['an hour before going to bed', '2026-03-09T21:00:00Z', 80],
    ['just over an hour before going to bed', '2026-03-09T20:59:59Z', 60],
    ['just before six hours after waking', '2026-03-10T11:59:59Z', 80],
    ['six hours after waking', '2026-03-10T12:00:00Z', 60],
  ])('a second HRV value %s, at %s, gives an average of %d', async (_, start, shown) => {
    // The summary shows the mean of the night's two values.
    const records = [slept, garmin(RMSSD, '2026-03-10T06:00:00Z', 60, aggregate), garmin(RMSSD, start, 100, aggregate)];
    const rows = await rowsOf(...records);
    expect(rows.find(({ date }) => date === '2026-03-10')).toMatchObject({ avg_hrv_rmssd_ms: shown });
  });

  it.each<[where: string, hour: number, records: HealthRecord[]]>([
    ['in a night', 1, [slept]],
    ['on a day without a night', 15, []],
  ])('converts saturations stored as fractions to percent, %s', async (_, hour, night) => {
    const reading = (minute: number, value: number) =>
      garmin(OXYGEN, `2026-03-10T${String(hour).padStart(2, '0')}:${minute}:00Z`, value, at);
    const { userKey } = await recordedUser(database, ...night, reading(10, 100), reading(20, 90));
    await database.pool.query('update sample set value = value / 100 where user_key = $1', [userKey]);
    // The next reading makes the writer compute the day again from stored samples.
    await writeRecords(database, userKey, [reading(30, 95)]);
    expect(await rowsStored(userKey)).toEqual(oxygen(95));
  });
});
