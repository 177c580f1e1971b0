import { MS_PER_MINUTE, MS_PER_SECOND, SECONDS_PER_DAY, SECONDS_PER_MINUTE } from '@healthd/model';
import type { RequestBudget } from '@healthd/providers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { windowsOf } from './quota-windows.js';
import { RequestBudgets } from './request-budget.js';
import { REQUEST_PRIORITIES, type RequestPriority } from './request-priority.js';

/** A window of 1,000 requests per day allows a burst of 100 requests, then one request per 96 seconds. */
const DAY = { requests: 1_000, seconds: SECONDS_PER_DAY };
const MINUTE = { requests: 100, seconds: SECONDS_PER_MINUTE };

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
  await database.pool.query('delete from request_budget');
});

const waitOf = async (budget: RequestBudget) => (await budget.take(0)).waitMs;
const pass = (ms: number) => {
  nowMs += ms;
};

/** Returns the number of requests of a priority that may be sent without a wait. */
async function sentAtOnce(priority: RequestPriority, windows = [DAY]): Promise<number> {
  const budget = budgets.application('whoop', windows, priority);
  for (let sent = 0; ; sent++) if ((await waitOf(budget)) > 0) return sent;
}

test('spreads requests over the window after a burst of 10 %', async () => {
  expect(await sentAtOnce('manual')).toBe(100);
  expect(await waitOf(budgets.application('whoop', [DAY], 'manual'))).toBe(96_000);
  pass(95_999);
  expect(await sentAtOnce('manual')).toBe(0);
  pass(1);
  expect(await sentAtOnce('manual')).toBe(1);
});

test('allows only the vendor-reported remaining requests until the reset', async () => {
  const windows = windowsOf({ perUserAndMinute: 1, perApplicationAndMinute: 1e6, limitsInAnswers: true });
  expect(windows.map(({ seconds }) => seconds)).toEqual([60, 900, SECONDS_PER_DAY]);
  const budget = budgets.application('strava', windows, 'backfill');
  expect(await budget.take(0)).toEqual({ waitMs: 0 });
  await budgets.lower('strava', { requests: 3, seconds: 900, resetSeconds: 420 });
  await budgets.lower('strava', { requests: 500, seconds: SECONDS_PER_DAY, resetSeconds: 3_600 });
  const waits = [];
  for (let sent = 0; sent < 4; sent++) waits.push(await waitOf(budget));
  expect(waits.slice(0, 3)).toEqual([0, 0, 0]);
  expect(waits[3]).toBeGreaterThanOrEqual(420_000);
  expect(waits[3]).toBeLessThan(420_100);
  pass(420_100);
  for (let sent = 0; sent < 90; sent++) expect(await waitOf(budget)).toBe(0);
});

test('charges no window if any window rejects the request', async () => {
  await sentAtOnce('manual', [MINUTE]);
  expect(await waitOf(budgets.application('whoop', [DAY, MINUTE], 'manual'))).toBeGreaterThan(0);
  expect(await sentAtOnce('manual', [DAY])).toBe(100);
});

test('never exceeds the quota in any sliding day', async () => {
  const sentAtMs: number[] = [];
  const until = nowMs + 2 * SECONDS_PER_DAY * MS_PER_SECOND;
  while (nowMs < until) {
    for (let count = await sentAtOnce('manual'); count > 0; count--) sentAtMs.push(nowMs);
    pass(13 * MS_PER_MINUTE);
  }
  const inDayBefore = (atMs: number) =>
    sentAtMs.filter((ms) => ms > atMs - SECONDS_PER_DAY * MS_PER_SECOND && ms <= atMs).length;
  const most = Math.max(...sentAtMs.map(inDayBefore));
  expect(most).toBeLessThanOrEqual(DAY.requests);
  expect(most).toBeGreaterThan(DAY.requests * 0.98);
});

test('reserves capacity for higher priorities', async () => {
  const sent: number[] = [];
  for (const priority of REQUEST_PRIORITIES.toReversed()) sent.push(await sentAtOnce(priority));
  expect(sent.every((count) => count > 0)).toBe(true);
  expect(sent.reduce((sum, count) => sum + count)).toBe(100);
  expect(await waitOf(budgets.application('whoop', [DAY], 'backfill'))).toBeGreaterThan(0);
});

test('serves every priority even with a small quota', async () => {
  for (const priority of REQUEST_PRIORITIES) {
    await database.pool.query('delete from request_budget');
    expect(await waitOf(budgets.application('whoop', [{ requests: 5, seconds: 60 }], priority))).toBe(0);
  }
});

test("does not charge the application if the user's quota rejects the request", async () => {
  const both = (perMinute: number) =>
    budgets.both('whoop', { account: 'one', perMinute }, [MINUTE, { requests: undefined, seconds: 86_400 }], 'manual');
  expect(await waitOf(both(2))).toBe(0);
  expect(await waitOf(both(2))).toBeGreaterThan(0);
  expect(await sentAtOnce('manual', [MINUTE])).toBe(9);
});

test.each(REQUEST_PRIORITIES)('allows a burst of four at nine requests per minute, priority %s', async (priority) => {
  expect(await sentAtOnce(priority, [{ requests: 9, seconds: SECONDS_PER_MINUTE }])).toBe(4);
});

test("lowers, but never raises, a budget to the vendor's remaining count", async () => {
  const budget = budgets.application('whoop', [DAY], 'manual');
  await waitOf(budget);
  await budgets.lower('whoop', { requests: 2, seconds: SECONDS_PER_DAY });
  expect([await waitOf(budget), await waitOf(budget)]).toEqual([0, 0]);
  expect(await waitOf(budget)).toBeGreaterThan(0);
  await budgets.lower('whoop', { requests: 50, seconds: SECONDS_PER_DAY });
  expect(await waitOf(budget)).toBeGreaterThan(0);
});

test("refills only when the vendor's next window starts", async () => {
  const budget = budgets.application('whoop', [MINUTE], 'manual');
  await waitOf(budget);
  await budgets.lower('whoop', { requests: 1, seconds: SECONDS_PER_MINUTE, resetSeconds: 41 });
  expect(await waitOf(budget)).toBe(0);
  // Wait of 41 s until the vendor's next window, plus the refill of one request (60 s / 90).
  expect(await waitOf(budget)).toBe(41_667);
  pass(41_000);
  expect(await waitOf(budget)).toBe(667);
  pass(667);
  expect(await waitOf(budget)).toBe(0);
  await budgets.lower('whoop', { requests: 9, seconds: SECONDS_PER_MINUTE, resetSeconds: 0 });
  expect(await waitOf(budget)).toBe(667);
});

test('reports the time per request only if an application window is full', async () => {
  const user = { account: 'one', perMinute: 2 };
  const both = budgets.both('whoop', user, [MINUTE, DAY], 'manual');
  await sentAtOnce('manual', [MINUTE]);
  expect(await both.take(0)).toEqual({ waitMs: 667, perRequestMs: 60_000 / 90 });
  await sentAtOnce('manual', [DAY]);
  expect(await both.take(0)).toEqual({ waitMs: 96_000, perRequestMs: 96_000 });
  pass(SECONDS_PER_DAY * MS_PER_SECOND);
  await both.take(0);
  expect(await both.take(0)).toEqual({ waitMs: 60_000 });
});

test.each([
  ['a minute', MINUTE],
  ['a day', DAY],
])('recovers after the database clock was weeks ahead, window of %s', async (_, window) => {
  const budget = budgets.both('whoop', { account: 'one', perMinute: 60 }, [window], 'manual');
  const trueMs = nowMs;
  pass(21 * SECONDS_PER_DAY * MS_PER_SECOND);
  await sentAtOnce('manual', [window]);
  await waitOf(budget);
  nowMs = trueMs;
  // An empty bucket refills at its usual rate.
  expect(await waitOf(budget)).toBeLessThanOrEqual(96_000);
  pass(96_000);
  expect(await waitOf(budget)).toBe(0);
});

test("keeps a vendor's reset time after the database clock was ahead", async () => {
  const budget = budgets.application('whoop', [MINUTE], 'manual');
  const trueMs = nowMs;
  pass(21 * SECONDS_PER_DAY * MS_PER_SECOND);
  await waitOf(budget);
  nowMs = trueMs;
  await budgets.lower('whoop', { requests: 0, seconds: SECONDS_PER_MINUTE, resetSeconds: 41 });
  expect(await waitOf(budget)).toBe(41_667);
});

test('purges buckets with an update time far in the future', async () => {
  await database.pool.query(
    "insert into request_budget (provider, subject, tokens, updated_at) values ('whoop', 'x', 1, now() + interval '30 days')",
  );
  expect(await budgets.purge()).toBe(1);
});
