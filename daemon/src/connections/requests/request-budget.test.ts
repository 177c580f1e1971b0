import { SECONDS_PER_DAY } from '@healthd/model';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { RequestBudgets } from './request-budget.js';
import { REQUEST_PRIORITIES, type RequestPriority } from './request-priority.js';

/** A day of 1,000 requests: 100 at once, then one in 96 seconds. */
const DAY = { requests: 1_000, seconds: SECONDS_PER_DAY };

let database: TestDatabase;
let budgets: RequestBudgets;
beforeAll(async () => {
  database = await createTestDatabase();
  budgets = new RequestBudgets(database.pool);
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('delete from request_budget'));

/** Requests of a priority that may be sent at once. */
async function sentAtOnce(priority: RequestPriority): Promise<number> {
  const budget = budgets.application('whoop', DAY, priority);
  for (let sent = 0; ; sent++) if ((await budget.take(0)) > 0) return sent;
}

test('a tenth of a window may be used at once, and the rest is spread over it', async () => {
  expect(await sentAtOnce('manual')).toBe(100);
  const waitMs = await budgets.application('whoop', DAY, 'manual').take(0);
  expect(waitMs).toBeGreaterThan(90_000);
  expect(waitMs).toBeLessThanOrEqual(96_000);
});

test('the minute and the day of one application are two budgets', async () => {
  await sentAtOnce('manual');
  expect(await budgets.application('whoop', { requests: 100, seconds: 60 }, 'manual').take(0)).toBe(0);
});

test('whoever is later in the order leaves the rest of the quota to those before', async () => {
  const sent: number[] = [];
  for (const priority of REQUEST_PRIORITIES.toReversed()) sent.push(await sentAtOnce(priority));
  expect(sent.every((count) => count > 0)).toBe(true);
  expect(sent.reduce((sum, count) => sum + count)).toBe(100);
  expect(await budgets.application('whoop', DAY, 'backfill').take(0)).toBeGreaterThan(0);
});

test('however small a quota is, every priority comes through', async () => {
  for (const priority of REQUEST_PRIORITIES) {
    await database.pool.query('delete from request_budget');
    expect(await budgets.application('whoop', { requests: 5, seconds: 60 }, priority).take(0)).toBe(0);
  }
});

test('what the vendor says is left counts, and never raises a budget', async () => {
  const budget = budgets.application('whoop', DAY, 'manual');
  await budget.take(0);
  await budgets.lower('whoop', { requests: 2, seconds: SECONDS_PER_DAY });
  expect([await budget.take(0), await budget.take(0)]).toEqual([0, 0]);
  expect(await budget.take(0)).toBeGreaterThan(0);
  await budgets.lower('whoop', { requests: 50, seconds: SECONDS_PER_DAY });
  expect(await budget.take(0)).toBeGreaterThan(0);
});
