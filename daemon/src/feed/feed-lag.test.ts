import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { createPool } from '../platform/database/index.js';
import { setFeed } from './epoch.js';
import { watchFeed } from './feed-lag.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await setFeed(database.pool, true);
  await database.pool.query('select assign_ordinals(5000, true)');
});
afterAll(() => database.drop());

/** Returns the lines of a scrape that contain values. */
async function valuesOf(registry: Registry): Promise<string[]> {
  const text = await registry.metrics();
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

it("reports waiting entries and the oldest entry's age on the first scrape", async () => {
  await database.pool.query(
    `insert into change (user_key, is_data, number, at, kind, body)
     select 0, false, 1000 + n, now() - n * interval '1 minute', 'run', '{"action": "created"}' from generate_series(1, 3) n`,
  );
  const registry = new Registry();
  watchFeed(registry, database.pool);
  const [waiting, lag, ...others] = await valuesOf(registry);
  expect([waiting, others]).toEqual(['healthd_feed_waiting_entries 3', []]);
  expect(Number(lag?.replace('healthd_feed_lag_seconds ', ''))).toBeGreaterThanOrEqual(180);
});

it('reports no feed values without a database', async () => {
  const pool = createPool({ url: database.url, max: 1 });
  const registry = new Registry();
  watchFeed(registry, pool);
  expect(await valuesOf(registry)).toHaveLength(2);
  await pool.end();
  expect(await valuesOf(registry)).toEqual([]);
});
