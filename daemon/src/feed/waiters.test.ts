import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { setFeed } from './epoch.js';
import { storeEvent } from './outbox.js';
import { Waiters, type Waiting } from './waiters.js';

let database: TestDatabase;
let waiters: Waiters;

beforeAll(async () => {
  database = await createTestDatabase();
  await setFeed(database.pool, true);
});
afterAll(() => database.drop());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Commits an event with an ordinal, and notifies the waiters as the sequencer does. */
async function commit(): Promise<void> {
  await storeEvent(database.pool, { kind: 'selection', body: {} });
  await database.pool.query('select assign_ordinals(5000, true)');
  waiters.notify();
}

/** Maximum wait. No test takes this long, so only a wake ends a wait. */
const FOREVER_MS = 60_000;

const news = (waiting: Waiting) => waiting.news(FOREVER_MS, new AbortController().signal);

/** Opens waiters that have woken their first reader. The clock then stands still, so that a pause precedes each wake. */
async function openAfterWake(): Promise<void> {
  vi.useFakeTimers({ toFake: ['performance'] });
  waiters = new Waiters(database.pool, (error) => expect(error).toBeUndefined());
  const first = waiters.add({ kinds: undefined, userKey: undefined });
  await Promise.all([news(first), commit()]);
  first.end();
}

describe('waiting readers', () => {
  it('are woken by a change that arrives during the pause', async () => {
    await openAfterWake();
    const waiting = waiters.add({ kinds: undefined, userKey: undefined });
    waiters.notify();
    await Promise.all([news(waiting), commit()]);
    waiting.end();
  });

  it('are woken once for several changes during one pause', async () => {
    await openAfterWake();
    const waiting = waiters.add({ kinds: undefined, userKey: undefined });
    const woken = news(waiting);
    const query = vi.spyOn(database.pool, 'query');
    const reads = () =>
      query.mock.calls.filter(([text]) => String(text).includes('from change where ordinal >')).length;
    await commit();
    for (let count = 0; count < 5; count++) waiters.notify();
    await woken;
    expect(reads()).toBe(1);
    waiting.end();
  });

  it('are woken by a change during the read of the last changes', async () => {
    await openAfterWake();
    const waiting = waiters.add({ kinds: ['selection'], userKey: undefined });
    const woken = news(waiting);
    const query = database.pool.query.bind(database.pool) as (...args: unknown[]) => Promise<unknown>;
    let isLater = false;
    vi.spyOn(database.pool, 'query').mockImplementation((async (...args: unknown[]) => {
      const result = await query(...args);
      if (!isLater && String(args[0]).includes('from change where ordinal >')) {
        isLater = true;
        await commit();
      }
      return result;
    }) as never);
    waiters.notify();
    await woken;
    expect(isLater).toBe(true);
    waiting.end();
  });
});
