import { type HealthRecord, MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { propertyRuns } from '../../../../test/support/extent.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { recordedUser } from '../../../../test/support/recorded-user.js';
import { GARMIN, sample } from '../../../../test/support/records.js';
import { readRecovery } from './recovery-summary.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const DAYS = 24;
const FIRST_MS = Date.parse('2026-03-01T00:00:00Z');
const bounds = {
  start: { ms: FIRST_MS, dateOnly: true },
  end: { ms: FIRST_MS + DAYS * MS_PER_DAY, dateOnly: true },
};

const often = (weight: number) => fc.nat(99).map((n) => n < weight);
/** Facts about one day. Most days have a resting heart rate of the local date. */
const day = fc.record({
  midnight: often(88),
  value: fc.constantFrom(19, 20, 55, 150),
  offset: fc.constantFrom(undefined, -300, 0, 60, 840),
  total: often(8),
  otherHour: fc.option(fc.integer({ min: 0, max: 23 }), { freq: 6, nil: undefined }),
  night: often(60),
  hrv: often(50),
  score: often(8),
});
type Day = typeof day extends fc.Arbitrary<infer Value> ? Value : never;

function recordsOf({ midnight, value, offset, total, otherHour, night, hrv, score }: Day, at: number): HealthRecord[] {
  const dateMs = FIRST_MS + at * MS_PER_DAY;
  const time = (ms: number) => new Date(ms).toISOString();
  const facts = offset === undefined ? { source: GARMIN } : { source: GARMIN, offsetMinutes: offset };
  const resting = (ms: number, more = {}) => sample('resting_heart_rate', time(ms), value, { ...facts, ...more });
  const localMs = dateMs - (offset ?? 0) * MS_PER_MINUTE;
  const records: HealthRecord[] = [];
  if (midnight) records.push(resting(localMs));
  if (total) records.push(resting(localMs + 9 * MS_PER_HOUR, { kind: 'daily_total' }));
  if (otherHour !== undefined) records.push(resting(localMs + otherHour * MS_PER_HOUR + MS_PER_MINUTE));
  if (hrv) records.push(sample('heart_rate_variability_rmssd', time(dateMs + 3 * MS_PER_HOUR), 50, facts));
  if (night) {
    const span = { startMs: dateMs - MS_PER_HOUR, endMs: dateMs + 6 * MS_PER_HOUR, offsetMinutes: offset ?? 0 };
    records.push({ kind: 'sleep_session', source: GARMIN, isNap: false, ...span });
  }
  const atMs = dateMs + 7 * MS_PER_HOUR;
  if (score)
    records.push({ kind: 'health_score', source: { provider: 'whoop' }, category: 'recovery', value: 70, atMs });
  return records;
}

test('shows the same rows in several pages as in one page', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(day, { minLength: DAYS, maxLength: DAYS }),
      fc.integer({ min: 1, max: 9 }),
      async (days, limit) => {
        const { userKey } = await recordedUser(database, ...days.flatMap(recordsOf));
        const whole = await readRecovery(database, userKey, { ...bounds, limit: DAYS });
        const rows: unknown[] = [];
        let cursor: string | undefined;
        do {
          const page = await readRecovery(database, userKey, { ...bounds, limit, ...(cursor && { cursor }) });
          expect(page.pagination.total_count).toBe(whole.data.length);
          rows.push(...page.data);
          cursor = page.pagination.next_cursor ?? undefined;
        } while (cursor);
        expect(rows).toEqual(whole.data);
      },
    ),
    { numRuns: propertyRuns(25, 200) },
  );
});
