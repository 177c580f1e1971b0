import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { Priorities } from './ranking.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => database.drop());

it('returns cached priorities until the cache is cleared', async () => {
  const winner = async () => {
    const priorities = await database.priorities.current();
    const [apple, garmin] = ['apple', 'garmin'].map((provider) => priorities.provider({ provider }));
    return Number(apple) < Number(garmin) ? 'apple' : 'garmin';
  };
  expect(await winner()).toBe('apple');
  await database.pool.query("update provider_priority set priority = 0 where provider = 'garmin'");
  expect(await winner()).toBe('apple');
  database.priorities.forget();
  expect(await winner()).toBe('garmin');
});

it('does not cache a failed read', async () => {
  database.priorities.forget();
  await database.pool.query('alter table provider_priority rename to elsewhere');
  await expect(database.priorities.current()).rejects.toThrow('provider_priority');
  await database.pool.query('alter table elsewhere rename to provider_priority');
  await expect(database.priorities.current()).resolves.toBeInstanceOf(Priorities);
});
