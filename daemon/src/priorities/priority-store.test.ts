import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { Priorities } from './ranking.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => database.drop());

it('a changed priority applies once this process is notified', async () => {
  const winner = async () => {
    const priorities = await database.priorities.current();
    const source = { deviceType: 'watch', coveredMinutes: 1 };
    const sources = [
      { ...source, provider: 'apple', identity: 'a' },
      { ...source, provider: 'garmin', identity: 'b' },
    ];
    return sources.sort((a, b) => priorities.compare(a, b))[0]?.provider;
  };
  expect(await winner()).toBe('apple');
  await database.pool.query("update provider_priority set priority = 0 where provider = 'garmin'");
  expect(await winner()).toBe('apple');
  database.priorities.forget();
  expect(await winner()).toBe('garmin');
});

it('retries a failed read', async () => {
  database.priorities.forget();
  await database.pool.query('alter table provider_priority rename to elsewhere');
  await expect(database.priorities.current()).rejects.toThrow('provider_priority');
  await database.pool.query('alter table elsewhere rename to provider_priority');
  await expect(database.priorities.current()).resolves.toBeInstanceOf(Priorities);
});
