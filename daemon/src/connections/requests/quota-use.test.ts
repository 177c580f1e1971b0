import { MS_PER_HOUR, MS_PER_SECOND, SECONDS_PER_DAY } from '@healthd/model';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { readQuotaUse } from './quota-use.js';
import { windowsOf } from './quota-windows.js';
import { RequestBudgets } from './request-budget.js';

const QUOTAS = { perUserAndMinute: 60, perApplicationAndMinute: 100, perApplicationAndDay: 1_000 };

let database: TestDatabase;
let budgets: RequestBudgets;
let nowMs: number;
beforeAll(async () => {
  database = await createTestDatabase();
  budgets = new RequestBudgets(database.pool, () => new Date(nowMs));
});
afterAll(() => database.drop());
beforeEach(async () => {
  nowMs = Date.parse('2026-03-10T00:00:00Z');
  await database.pool.query('delete from request_budget; delete from health_user');
});

const use = (quotas = QUOTAS) => readQuotaUse(database.pool, 'whoop', quotas, new Date(nowMs));
async function send(count: number, quotas = QUOTAS) {
  const budget = budgets.application('whoop', windowsOf(quotas), 'manual');
  for (let sent = 0; sent < count; sent++) expect(await budget.take(0)).toEqual({ waitMs: 0 });
}
async function connect(count: number) {
  for (let made = 0; made < count; made++) {
    await database.pool.query(
      `with u as (insert into health_user (id) values (gen_random_uuid()) returning user_key)
       insert into connection (user_key, provider, access_token) select user_key, 'whoop', 'x' from u`,
    );
  }
}

test('reports no use and no user estimate before the first request', async () => {
  expect(await use()).toMatchObject({
    windows: [
      { seconds: 60, limit: 100, spent: 0, left: 100, refilledAt: undefined },
      { seconds: SECONDS_PER_DAY, limit: 1_000, spent: 0, left: 1_000, refilledAt: undefined },
    ],
    requestsPerUserAndDay: undefined,
    usersServed: undefined,
    waiting: { manual: 0, first_sync: 0, webhook: 0, live: 0, backfill: 0 },
  });
});

test('reports spent and remaining requests and the user capacity', async () => {
  await connect(2);
  await send(8);
  expect(await use()).toMatchObject({
    windows: [
      { spent: 8, left: 92, refilledAt: new Date(nowMs + (8 / 90) * 60 * MS_PER_SECOND) },
      { spent: 8, left: 992 },
    ],
    activeConnections: 2,
    requestsLastDay: 8,
    requestsPerUserAndDay: 4,
    usersServed: 250,
  });
});

test('counts the previous window in proportion to its remaining share', async () => {
  await send(8);
  nowMs += 90 * MS_PER_SECOND;
  expect((await use()).windows).toMatchObject([{ spent: 4, left: 96 }, { spent: 8 }]);
  nowMs += 12 * MS_PER_HOUR;
  expect((await use()).windows).toMatchObject([{ spent: 0 }, { spent: 8 }]);
  nowMs += 24 * MS_PER_HOUR;
  expect((await use()).requestsLastDay).toBe(4);
  await send(2);
  expect((await use()).requestsLastDay).toBe(6);
});

test('counts daily requests even if the vendor has no daily limit', async () => {
  await connect(1);
  const quotas = { perUserAndMinute: 60, perApplicationAndMinute: 100 };
  await send(5, quotas as typeof QUOTAS);
  const read = await use(quotas as typeof QUOTAS);
  expect(read.windows.map(({ seconds }) => seconds)).toEqual([60]);
  expect(read).toMatchObject({ requestsLastDay: 5, usersServed: (100 * 1_440) / 5 });
});
