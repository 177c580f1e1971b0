import { archiveOldData } from '@healthd/daemon/retention';
import { batchOf, type HealthRecord, MS_PER_HOUR, MS_PER_MINUTE, type SourceIdentity } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { propertyRuns } from '../../support/extent.js';
import { recordWriter } from '../../support/recorded-user.js';
import { GARMIN, PHONE, sample, WATCH } from '../../support/records.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const START_MS = Date.parse('2026-03-09T00:00:00Z');
const OURA: SourceIdentity = { provider: 'oura', deviceModel: 'Oura Ring Gen3', deviceType: 'ring', account: 'o1' };
const POLAR: SourceIdentity = { provider: 'polar', deviceModel: 'Vantage V3', deviceType: 'watch', account: 'p1' };
const APP: SourceIdentity = { provider: 'apple', writer: 'Sleeper' };

/** Generates a sleep of one of the sources, with a heart rate every half hour, so that archiving keeps the source. */
const sleepOf = (...sources: SourceIdentity[]) =>
  fc
    .record({
      source: fc.constantFrom(...sources),
      half: fc.integer({ min: 0, max: 3 * 48 }),
      halves: fc.integer({ min: 1, max: 20 }),
      offsetMinutes: fc.constantFrom(0, 0, 0, -300, 300),
      isNap: fc.constantFrom(false, false, true),
    })
    .map(({ source, half, halves, offsetMinutes, isNap }): HealthRecord[] => {
      const at = (halfHours: number) => START_MS + (half + halfHours) * 30 * MS_PER_MINUTE;
      const facts = { source, offsetMinutes };
      const rates = Array.from({ length: halves }, (_, beat) =>
        sample('heart_rate', new Date(at(beat)).toISOString(), 50 + ((half + beat) % 20), facts),
      );
      const asleepSeconds = (halves * MS_PER_HOUR) / 2000;
      return [{ kind: 'sleep_session', ...facts, startMs: at(0), endMs: at(halves), isNap, asleepSeconds }, ...rates];
    });

const slept = (
  source: SourceIdentity,
  start: string,
  hours: number,
  { isNap = false, offsetMinutes = 0, rate = 55 } = {},
): HealthRecord[] => {
  const startMs = Date.parse(start);
  const asleepSeconds = (hours * MS_PER_HOUR) / 1000;
  const span = { startMs, endMs: startMs + hours * MS_PER_HOUR, offsetMinutes };
  return [
    { kind: 'sleep_session', source, isNap, asleepSeconds, ...span },
    sample('heart_rate', start, rate, { source, offsetMinutes }),
  ];
};
/** One source's sleep in two parts, which end on two dates, and the whole sleep of another source. */
const TWO_PARTS = [slept(WATCH, '2026-03-09T20:00:00Z', 3.5), slept(WATCH, '2026-03-10T00:00:00Z', 6)];
const WHOLE = [slept(OURA, '2026-03-09T20:00:00Z', 10)];

/** A nap and a night of one source on two dates, and a sleep of another source across both. */
const NAP_BEFORE = [
  slept(GARMIN, '2026-03-11T15:30:00Z', 4.5, { isNap: true }),
  slept(GARMIN, '2026-03-11T20:00:00Z', 4),
];
const ACROSS = [slept(OURA, '2026-03-11T17:30:00Z', 5)];

const archive = (now = '2026-03-20T00:00:00Z') =>
  archiveOldData({
    ...service.parts,
    settings: { archiveAfterDays: 1, deleteAfterDays: null },
    nowMs: Date.parse(now),
    log: { error: (fields: object) => expect(fields).toBeUndefined() },
  });

interface TestUser {
  userKey: number;
  write(records: HealthRecord[][]): Promise<unknown>;
  nights(): Promise<Night[]>;
}

async function newUser(): Promise<TestUser> {
  const { id } = (await service.call('POST', '/api/v1/users')).body;
  const { userKey } = (await service.users.find(id))!;
  return {
    userKey,
    write: (records) => recordWriter(service).write(userKey, batchOf(records.flat())),
    nights: async () => {
      const path = `/api/v1/users/${id}/summaries/sleep?start_date=2026-03-01&end_date=2026-03-20`;
      return (await service.call('GET', path)).body.data;
    },
  };
}

type Night = Record<string, unknown> & { date: string; sources: Record<string, unknown> };

test('ignores late reports of other sources for archived nights', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(sleepOf(WATCH, GARMIN, PHONE), { minLength: 1, maxLength: 5 }),
      fc.array(sleepOf(OURA, POLAR, APP), { minLength: 1, maxLength: 5 }),
      async (first, later) => {
        const user = await newUser();
        const { write } = user;
        const nights = async () =>
          (await user.nights()).map(({ date, sources, ...night }) => ({
            date,
            sleep: sources.sleep,
            heart: sources.heart_rate,
            start: sources.sleep && night.start_time,
            asleep: night.duration_minutes,
            heartRate: night.avg_heart_rate_bpm,
          }));
        await write(first);
        await archive();
        const archived = (await nights()).filter(({ sleep }) => sleep !== null);
        await write(later);
        const dates = new Set(archived.map(({ date }) => date));
        expect((await nights()).filter(({ date }) => dates.has(date))).toEqual(archived);
        await archive();
        expect((await nights()).filter(({ date }) => dates.has(date))).toEqual(archived);
      },
    ),
    {
      numRuns: propertyRuns(15, 200),
      examples: [
        [TWO_PARTS, WHOLE],
        [NAP_BEFORE, ACROSS],
      ],
    },
  );
});

test('assigns no recent sleep to archived dates despite late copies', async () => {
  const { userKey, write, nights } = await newUser();
  const minutes = async () => (await nights()).map(({ date, duration_minutes: asleep }) => ({ date, asleep }));
  await write(TWO_PARTS);
  await archive('2026-03-11T12:00:00Z');
  const { rows } = await service.pool.query('select wake_date::text from night_archive where user_key = $1', [userKey]);
  expect(rows).toEqual([{ wake_date: '2026-03-09' }]);
  await write([slept(OURA, '2026-03-09T20:00:00Z', 10)]);
  const [archived, recent] = await minutes();
  expect(archived).toEqual({ date: '2026-03-09', asleep: 210 });
  expect(recent).toMatchObject({ date: '2026-03-10' });
});

test("excludes a moved sleep from its former date's archived heart rates", async () => {
  const { write, nights } = await newUser();
  // Both Polar sleeps end on the first date. The watch's copy, in another time zone, moves the second sleep.
  await write([
    slept(POLAR, '2026-03-10T08:00:00Z', 7, { rate: 54 }),
    slept(POLAR, '2026-03-10T14:00:00Z', 6, { rate: 54 }),
    [sample('heart_rate', '2026-03-10T18:00:00Z', 66, { source: POLAR, offsetMinutes: 0 })],
    slept(WATCH, '2026-03-10T14:00:00Z', 6, { offsetMinutes: 300, rate: 72 }),
  ]);
  const heartRates = async () => (await nights()).map(({ date, avg_heart_rate_bpm: rate }) => ({ date, rate }));
  const before = await heartRates();
  await archive();
  expect(before).toEqual([
    { date: '2026-03-10', rate: 54 },
    { date: '2026-03-11', rate: 72 },
  ]);
  expect(await heartRates()).toEqual(before);
});

test("keeps heart rates that 0.2.0 archived on a moved sleep's wake date", async () => {
  const { userKey, write, nights } = await newUser();
  const heartRates = async () => (await nights()).map(({ date, avg_heart_rate_bpm: rate }) => ({ date, rate }));
  // The ring's whole sleep moves the first part of the watch's sleep to the date of the second part.
  await write([
    slept(WATCH, '2026-03-09T20:00:00Z', 3.5, { rate: 50 }),
    slept(WATCH, '2026-03-10T00:00:00Z', 6, { rate: 60 }),
    slept(OURA, '2026-03-09T20:00:00Z', 10, { rate: 80 }),
  ]);
  await archive('2026-03-13T00:00:00Z');
  expect(await heartRates()).toEqual([{ date: '2026-03-10', rate: 55 }]);
  await service.pool.query('delete from night_archive where user_key = $1', [userKey]);
  await service.pool.query(
    `insert into night_archive (user_key, wake_date, night_source_id, source_id, type_id, asleep_sum, window_sum,
                                asleep_count, window_count)
     select user_key, wake_date, source_id, source_id, 1, rate, rate, 1, 1
       from sleep_session, (values (3.5, 50), (6, 60), (10, 80)) as slept (hours, rate)
      where user_key = $1 and end_at - start_at = hours * interval '1 hour'`,
    [userKey],
  );
  await service.pool.query('update sleep_session set summary_date = null, counted_as_nap = null where user_key = $1', [
    userKey,
  ]);
  expect(await heartRates()).toEqual([{ date: '2026-03-10', rate: 55 }]);
  await write([[sample('heart_rate', '2026-03-14T10:00:00Z', 80, { source: WATCH, offsetMinutes: 0 })]]);
  await archive();
  expect(await heartRates()).toEqual([{ date: '2026-03-10', rate: 55 }]);
});

test('keeps the date of recent nights when archived nights get late copies', async () => {
  const { write, nights } = await newUser();
  await write([slept(WATCH, '2026-03-09T20:00:00Z', 3.5), slept(GARMIN, '2026-03-10T00:00:00Z', 6)]);
  await archive('2026-03-11T12:00:00Z');
  const minutes = async () => (await nights()).map(({ date, duration_minutes: asleep }) => ({ date, asleep }));
  const before = await minutes();
  expect(before).toEqual([
    { date: '2026-03-09', asleep: 210 },
    { date: '2026-03-10', asleep: 360 },
  ]);
  await write([slept(OURA, '2026-03-09T20:00:00Z', 10)]);
  expect(await minutes()).toEqual(before);
});
