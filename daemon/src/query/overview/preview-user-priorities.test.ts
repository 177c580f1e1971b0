import { parseMoment } from '@healthd/schemas';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { recordedUser } from '../../../../test/support/recorded-user.js';
import { PHONE, sample, WATCH } from '../../../../test/support/records.js';
import { readActivity } from '../activity/activity.js';
import { previewUserPriorities } from './preview-user-priorities.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => database.drop());

const moment = (text: string) => parseMoment(text) as NonNullable<ReturnType<typeof parseMoment>>;
const range = (start: string, end: string) => ({
  start: moment(start),
  end: moment(end),
  merge: 'interval' as const,
});
const BODY = { nowMs: Date.parse('2026-03-12T12:00:00Z'), averageDays: 7, latestHours: 4, withheld: new Set<string>() };
const NO_CHANGE = { providers: [], deviceTypes: [] };
const PHONE_FIRST = { providers: [], deviceTypes: [['phone', 1] as const, ['watch', 9] as const] };

async function storedTotals(userKey: number) {
  const { rows } = await database.pool.query(
    `select local_date, provider, type_id, device_order, total from day_merged where user_key = $1
      order by local_date, provider, type_id`,
    [userKey],
  );
  return rows;
}

/**
 * Returns a user whose phone and watch count different steps in the same hour on two days. Reads the first day's
 * activity, so that its merged totals are cached.
 */
async function personWithOverlaps(): Promise<number> {
  const { userKey } = await recordedUser(
    database,
    sample('steps', '2026-03-10T08:00:00Z', 1000, { source: WATCH, minutes: 60 }),
    sample('steps', '2026-03-10T08:00:00Z', 1200, { source: PHONE, minutes: 60 }),
    sample('steps', '2026-03-11T08:00:00Z', 1000, { source: WATCH, minutes: 60 }),
    sample('steps', '2026-03-11T08:00:00Z', 1200, { source: PHONE, minutes: 60 }),
  );
  await readActivity(database, userKey, { ...range('2026-03-10', '2026-03-11'), limit: 10, sortOrder: 'asc' });
  return userKey;
}

it('previews merged days without changing the stored totals', async () => {
  const userKey = await personWithOverlaps();
  const before = await storedTotals(userKey);
  expect(before.length).toBeGreaterThan(0);
  const { deviceOrder } = await database.priorities.current();
  for (let attempt = 1; attempt <= 2; attempt++) {
    const preview = await previewUserPriorities(database, userKey, {
      ...range('2026-03-10', '2026-03-12'),
      change: PHONE_FIRST,
      body: BODY,
    });
    expect(preview.days.map((day) => [day.date, day.before?.steps, day.after?.steps])).toEqual([
      ['2026-03-10', 1000, 1200],
      ['2026-03-11', 1000, 1200],
    ]);
    const after = await storedTotals(userKey);
    expect(after).toEqual(expect.arrayContaining(before));
    expect(new Set(after.map((row) => Number(row.device_order)))).toEqual(new Set([deviceOrder]));
  }
});

it('rejects 101 dates, even if they span only 100 days', async () => {
  const { userKey } = await recordedUser(database, sample('steps', '2026-06-09T08:00:00Z', 5));
  const preview = (start: string, end: string) =>
    previewUserPriorities(database, userKey, { ...range(start, end), change: NO_CHANGE, body: BODY });
  await expect(preview('2026-03-01T12:00:00Z', '2026-06-09T12:00:00Z')).rejects.toMatchObject({
    code: 'unprocessable',
  });
  expect(await preview('2026-03-02T12:00:00Z', '2026-06-09T12:00:00Z')).toMatchObject({ days_compared: 1 });
});
