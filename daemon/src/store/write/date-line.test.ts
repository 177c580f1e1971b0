import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { recordedUser, writeRecords } from '../../../../test/support/recorded-user.js';
import { sample } from '../../../../test/support/records.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => database.drop());

it('counts a sample once when its date moves across the date line', async () => {
  const { userKey } = await recordedUser(
    database,
    sample('steps', '2026-03-08T10:00:00Z', 100),
    sample('heart_rate', '2026-03-08T22:00:00Z', 60, { offsetMinutes: 840 }),
  );
  await writeRecords(database, userKey, [sample('heart_rate', '2026-03-07T22:30:00Z', 60, { offsetMinutes: -660 })]);
  const { rows } = await database.pool.query(
    'select local_date, sample_sum, sample_count from day_value where user_key = $1 and type_id = 80',
    [userKey],
  );
  expect(rows).toEqual([{ local_date: '2026-03-07', sample_sum: 100, sample_count: 1 }]);
});
