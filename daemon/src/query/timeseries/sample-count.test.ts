import { type HealthRecord, seriesTypeByCode } from '@healthd/model';
import type { DateOrInstant } from '@healthd/schemas';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { recordedUser } from '../../../../test/support/recorded-user.js';
import { GARMIN, sample, samplesEvery } from '../../../../test/support/records.js';
import { readContext } from './prepared-read.js';
import { readRawPage } from './raw-samples.js';
import type { SampleSelection } from './sample-count.js';

const typeIds = [seriesTypeByCode('steps').id, seriesTypeByCode('heart_rate').id];
let database: TestDatabase;
let user: { id: string; userKey: number };
let records: HealthRecord[];

beforeAll(async () => {
  database = await createTestDatabase();
  const tenDays = Array.from({ length: 240 }, (_, hour) => hour);
  records = [
    // A traveler in Honolulu, then Kiritimati, and a watch without offsets.
    ...samplesEvery('steps', '2026-03-01T00:17:00Z', 60, tenDays, { offsetMinutes: -600 }),
    ...samplesEvery('steps', '2026-03-11T00:17:00Z', 60, tenDays, { offsetMinutes: 840 }),
    ...samplesEvery(
      'heart_rate',
      '2026-03-01T00:31:00Z',
      60,
      [...tenDays, ...tenDays].map((n) => n + 40),
      { source: GARMIN },
    ),
    ...[5, 10, 15].map((day) =>
      sample('steps', `2026-03-${String(day).padStart(2, '0')}T00:00:00Z`, 900, { kind: 'daily_total' }),
    ),
  ];
  user = await recordedUser(database, ...records);
});
afterAll(async () => database.drop());

async function counted(selection: SampleSelection): Promise<number | null> {
  const { fromMs, beforeMs } = selection.bounds;
  const [start, end] = [fromMs, beforeMs].map((ms) => ({ ms, dateOnly: false })) as [DateOrInstant, DateOrInstant];
  const context = await readContext(database.pool, user.id, { start, end });
  return (await readRawPage(database.pool, user.userKey, selection, undefined, 1, context?.edges)).totalCount;
}

it.each([
  ['2026-01-01T00:00:00Z', '2026-12-31T00:00:00Z'],
  ['2026-03-01T00:00:00Z', '2026-03-21T00:00:00Z'],
  ['2026-03-04T10:17:00Z', '2026-03-17T14:31:00Z'],
  ['2026-03-09T20:00:00Z', '2026-03-12T08:00:00Z'],
  ['2026-03-10T09:59:59Z', '2026-03-13T10:00:01Z'],
  ['2026-03-05T00:00:00Z', '2026-03-06T00:00:00Z'],
  ['2026-03-05T00:00:00Z', '2026-03-05T00:00:00Z'],
  ['2027-01-01T00:00:00Z', '2027-12-31T00:00:00Z'],
])('counts every sample from %s to %s once', async (from, before) => {
  const bounds = { fromMs: Date.parse(from), beforeMs: Date.parse(before) };
  const expected = records.filter(
    (one) => one.kind === 'sample' && one.startMs >= bounds.fromMs && one.startMs < bounds.beforeMs,
  ).length;
  expect(await counted({ typeIds, sourceIds: undefined, bounds })).toBe(expected);
});

it('counts only samples of the requested sources', async () => {
  const { rows } = await database.pool.query<{ source_id: number }>(
    'select source_id from data_source where user_key = $1 and provider = $2',
    [user.userKey, 'garmin'],
  );
  const bounds = { fromMs: Date.parse('2026-03-02T00:00:00Z'), beforeMs: Date.parse('2026-03-12T00:00:00Z') };
  const sourceIds = rows.map((row) => row.source_id);
  expect(await counted({ typeIds, sourceIds, bounds })).toBe(240);
  expect(await counted({ typeIds, sourceIds: [], bounds })).toBe(0);
});
