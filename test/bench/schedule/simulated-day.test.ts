import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { repeatable } from './schedule-scenario.js';
import { simulateDay } from './simulated-day.js';
import { simulatedVendors } from './vendors.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('serves waiting callers first within the quota under overload', async () => {
  const vendors = simulatedVendors(150).map((vendor) => {
    const { connections, cloud } = vendor;
    const reports = { perUser: vendor.reports.perUser > 0 ? 12 : 0, requests: 2 };
    // Half of the quota that the vendor's reports alone would need.
    const perApplicationAndDay = 12 * connections;
    const quotas = { perUserAndMinute: 60, perApplicationAndMinute: 60, perApplicationAndDay };
    return { ...vendor, reports, manualShare: 0.05, newShare: 0.05, cloud: { ...cloud, quotas } };
  });
  const all = await simulateDay({ pool: database.pool, vendors, places: 3, random: repeatable(7) });
  const short = all.filter(({ waiting }) => waiting.webhook > 0);
  expect(short.map(({ provider }) => provider)).toEqual(['google', 'whoop']);
  for (const { provider, peaks, sent, waits, waiting } of all) {
    for (const { requests, limit } of peaks) expect(requests, provider).toBeLessThanOrEqual(limit);
    expect(waiting.manual + waiting.first_sync, provider).toBe(0);
    // Manual runs wait at most ten minutes, while vendor reports wait for hours.
    expect(Math.max(0, ...waits.manual), provider).toBeLessThan(600);
    if (waiting.webhook === 0) continue;
    expect(Math.max(...waits.webhook), provider).toBeGreaterThan(7_200);
    // Waiting callers use the capacity that is reserved for them.
    expect(sent, provider).toBeGreaterThan(0.9 * (peaks.at(-1)?.limit ?? 0));
  }
});
