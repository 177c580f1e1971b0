import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { newUser } from '../../../test/support/recorded-user.js';
import { deleteOldSyncStatus } from './retention.js';

let database: TestDatabase;
let userKey: number;
beforeAll(async () => {
  database = await createTestDatabase();
  ({ userKey } = await newUser(database));
});
afterAll(() => database.drop());

async function run(
  name: string,
  ageDays: number,
  facts: { source?: string; status?: string; items?: number; open?: boolean },
) {
  const { source = 'pull', status = 'success', items = 0, open = false } = facts;
  await database.pool.query(
    `insert into sync_run (run_id, user_key, provider, source, stage, status, items_processed, created_at, ended_at)
     values ($1, $2, 'google', $3, 'completed', $4, $5, now() - make_interval(days => $6),
             case when $7 then null else now() - make_interval(days => $6) end)`,
    [name, userKey, source, status, items, ageDays, open],
  );
}

it('keeps runs 90 days, but successful empty pulls only 7 days', async () => {
  await run('a quiet pull', 8, {});
  await run('a pull with news', 8, { items: 3 });
  await run('a pull that failed', 8, { status: 'partial' });
  await run('an empty import', 8, { source: 'xml_import' });
  await run('a recent quiet pull', 6, {});
  await run('an old open run', 91, { open: true });
  await run('an old run', 91, { items: 3 });
  const deleted = await deleteOldSyncStatus(database.pool, { eventDays: 7, runDays: 90 });
  expect(deleted.runs).toBe(2);
  const { rows } = await database.pool.query('select run_id from sync_run order by run_id');
  expect(rows.map(({ run_id }) => run_id)).toEqual([
    'a pull that failed',
    'a pull with news',
    'a recent quiet pull',
    'an empty import',
    'an old open run',
  ]);
});
