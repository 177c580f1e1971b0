import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { readTrends, recordTrouble } from './trouble-history.js';

const NOW = new Date('2026-11-17T12:30:00Z');
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * MS_PER_HOUR);
const failing = (connections: number) => [{ provider: { id: 'google' }, cause: 'vendor_failing', connections }];
const GROUP = { provider: { id: 'google' }, cause: 'vendor_failing' };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => database.drop());
beforeEach(async () => {
  await database.pool.query('delete from trouble_snapshot');
});

const counts = async () => {
  const trendOf = await readTrends(database.pool, NOW);
  return trendOf(GROUP).map(({ connections }) => connections);
};

test('returns the newest point of each six-hour period, oldest first', async () => {
  for (const [hours, connections] of [
    [2, 9],
    [3, 7],
    [14, 4],
    [13, 5],
    [26, 1],
  ] as const) {
    await recordTrouble(database.pool, hoursAgo(hours), failing(connections));
  }
  expect(await counts()).toEqual([1, 5, 9]);
});

test('reports zero for times at which a group did not exist', async () => {
  await recordTrouble(database.pool, hoursAgo(8), []);
  await recordTrouble(database.pool, hoursAgo(1), failing(2));
  expect(await counts()).toEqual([0, 2]);
});

test('records connection problems at most once an hour', async () => {
  await recordTrouble(database.pool, NOW, failing(3));
  await recordTrouble(database.pool, new Date(NOW.getTime() + 60_000), failing(8));
  expect(await counts()).toEqual([3]);
});

test('limits a trend to one week', async () => {
  await recordTrouble(database.pool, new Date(NOW.getTime() - 8 * MS_PER_DAY), failing(3));
  expect(await counts()).toEqual([]);
});
