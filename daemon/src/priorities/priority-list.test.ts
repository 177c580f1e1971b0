import { MS_PER_HOUR } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { recordedUser } from '../../../test/support/recorded-user.js';
import { GARMIN, sample, WATCH } from '../../../test/support/records.js';
import { DatabaseChannels } from '../platform/database/index.js';
import { readActivity, readWorkouts } from '../query/index.js';
import { followPriorities, PriorityStore } from './priority-store.js';

let database: TestDatabase;
let user: number;
beforeAll(async () => {
  database = await createTestDatabase();
  const run = { kind: 'workout', type: 'running', startMs: Date.parse('2026-03-10T08:00:00Z') } as const;
  const endMs = run.startMs + MS_PER_HOUR;
  ({ userKey: user } = await recordedUser(
    database,
    sample('steps', '2026-03-10T08:00:00Z', 100),
    sample('steps', '2026-03-10T08:00:00Z', 200, { source: GARMIN }),
    { ...run, endMs, source: WATCH },
    { ...run, endMs, source: GARMIN },
  ));
});
afterAll(async () => database.drop());

const range = {
  start: { ms: Date.parse('2026-03-10'), dateOnly: true },
  end: { ms: Date.parse('2026-03-11'), dateOnly: true },
};

async function winners(priorities = database.priorities) {
  const { pool } = database;
  const activity = await readActivity({ pool, priorities }, user, { ...range, limit: 1, sortOrder: 'asc' });
  const workouts = await readWorkouts({ pool, priorities }, user, { ...range, filterByPriority: true, limit: 5 });
  return [activity.data[0]?.source.provider, ...workouts.data.map(({ source }) => source.provider)];
}

describe('priorities of providers', () => {
  it('apply to the next request of this process', async () => {
    const { providers } = database.priorities;
    expect(await winners()).toEqual(['apple', 'apple']);
    expect(await providers.setOne({ name: 'apple', priority: 50 })).toMatchObject({ provider: 'apple', priority: 50 });
    expect(await winners()).toEqual(['garmin', 'garmin']);
    await providers.setOne({ name: 'apple', priority: 1 });
    expect(await winners()).toEqual(['apple', 'apple']);
  });

  it('apply in other processes on notification, even after a lost connection', async () => {
    const other = new PriorityStore(database.pool);
    let interruptions = 0;
    const channels = new DatabaseChannels({ url: database.url, onInterrupted: () => void interruptions++ });
    await followPriorities({ priorities: other, channels });
    const { providers } = database.priorities;
    try {
      expect(await winners(other)).toEqual(['apple', 'apple']);
      await providers.setOne({ name: 'garmin', priority: 1 });
      await providers.setOne({ name: 'apple', priority: 2 });
      await expect.poll(() => winners(other), { interval: 10 }).toEqual(['garmin', 'garmin']);
      await database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and query = 'listen healthd_priorities'`,
      );
      await expect.poll(() => interruptions).toBe(1);
      await providers.set([
        { name: 'apple', priority: 1 },
        { name: 'garmin', priority: 2 },
      ]);
      await expect.poll(() => winners(other), { interval: 10 }).toEqual(['apple', 'apple']);
    } finally {
      await channels.close();
    }
  });

  it("change for named providers only, using a repeated provider's last value", async () => {
    const { providers } = database.priorities;
    const before = new Map((await providers.list()).map((row) => [row.provider, row]));
    await providers.set([
      { name: 'oura', priority: 9 },
      { name: 'oura', priority: 7 },
    ]);
    const after = await providers.list();
    expect(after.find(({ provider }) => provider === 'oura')?.priority).toBe(7);
    const rest = [...before.values()].filter(({ provider }) => provider !== 'oura');
    expect(after.filter(({ provider }) => provider !== 'oura')).toEqual(rest);
    expect(after.map(({ priority }) => priority)).toEqual(after.map(({ priority }) => priority).sort((a, b) => a - b));
  });
});

it('accepts a priority for the device type "unknown"', async () => {
  const { deviceTypes } = database.priorities;
  const { userKey } = await recordedUser(
    database,
    sample('steps', '2026-03-10T08:00:00Z', 100, { source: { provider: 'apple', writer: 'One', deviceType: 'phone' } }),
    sample('steps', '2026-03-10T08:00:00Z', 200, { source: { provider: 'apple', writer: 'Two' } }),
  );
  const steps = async () =>
    (await readActivity(database, userKey, { ...range, limit: 1, sortOrder: 'asc' })).data[0]?.steps;
  expect(await steps()).toBe(100);
  expect(await deviceTypes.setOne({ name: 'unknown', priority: 1 })).toMatchObject({ device_type: 'unknown' });
  expect(await steps()).toBe(200);
});
