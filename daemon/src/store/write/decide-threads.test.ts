import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { composeRecordWriter } from '@healthd/daemon/record-writer';
import { batchOf, DECIDE_LIMITS, type HealthRecord, seriesTypeByCode } from '@healthd/model';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { sample, samplesEvery, WATCH } from '../../../../test/support/records.js';
import { inTransaction, tryLockUser } from '../../platform/database/index.js';
import type { DecideThreadOptions, RecordWriter } from './index.js';

const FAULTY = new URL('../../../../test/support/looping-decisions.mjs', import.meta.url);
const COMPILED = new URL('../../../dist/store/write/decide-threads.js', import.meta.url);
const START = '2026-03-10T00:00Z';
const MANY = DECIDE_LIMITS.inlineItems + 1;
const LIMIT_MS = 60_000;

let fixture: RecordFixture;
let writer: RecordWriter | undefined;

beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterEach(async () => {
  vi.useRealTimers();
  await writer?.close();
});
afterAll(() => fixture.close());

function openWriter(threads: number, decide: Omit<DecideThreadOptions, 'threads'> = {}): RecordWriter {
  const opened = composeRecordWriter(
    fixture.pool,
    { sleepEndGapMinutes: 120, storeRoutes: true, decideThreads: threads },
    decide,
  );
  writer = opened;
  return opened;
}

/** Stops the clock of time limits, so that a batch on a busy machine exceeds its limit only if the test lets it pass. */
function stopLimits(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
}

/** Resolves when the next faulty decision loops. */
function nextLoop(): Promise<void> {
  const channel = new BroadcastChannel('looping');
  return new Promise<void>((resolve) => {
    channel.onmessage = () => resolve();
  }).finally(() => channel.close());
}

/** Returns more samples than the main thread decides about. @param value value of the first sample */
const many = (value = 60) => batchOf(samplesEvery('heart_rate', START, 1, [value, ...Array(MANY - 1).fill(60)]));
const few = () => batchOf(samplesEvery('heart_rate', START, 1, [60, 61]));

async function countSamples(userKey: number): Promise<number> {
  const { rows } = await fixture.pool.query<{ count: number }>(
    'select count(*)::int as count from sample where user_key = $1',
    [userKey],
  );
  return rows[0]?.count ?? 0;
}

test('returns the same decision in a thread and on the main thread', async () => {
  const stages = Array.from({ length: 40 }, (_, index): HealthRecord => {
    const startMs = Date.parse('2026-03-10T22:00Z') + index * 600_000;
    return {
      kind: 'sleep_stage',
      source: WATCH,
      stage: index % 2 ? 'deep' : 'light',
      startMs,
      endMs: startMs + 600_000,
    };
  });
  const batches = [
    batchOf([...samplesEvery('steps', START, 10, [10, 20, 30, 40], { minutes: 10 }), ...stages.slice(0, 20)]),
    batchOf([sample('steps', START, 100, { minutes: 40 }), ...samplesEvery('heart_rate', START, 1, [60, 61, 62])]),
    batchOf([...samplesEvery('heart_rate', START, 1, [60, 65], { offsetMinutes: 60 }), ...stages.slice(10)]),
    batchOf([sample('steps', START, 99, { minutes: 30, kind: 'daily_total' }), ...stages]),
  ];
  const stored: unknown[] = [];
  for (const inlineItems of [DECIDE_LIMITS.inlineItems, 0]) {
    const user = await fixture.newUser();
    const results: unknown[] = [];
    const own = openWriter(1, { inlineItems });
    for (const batch of batches) {
      const { counts, ...result } = { counts: 0, ...(await own.write(user, batch)) };
      results.push({ counts, samples: result.samples, sleepSessions: result.sleepSessions, rejected: result.rejected });
    }
    await own.close();
    const { rows } = await fixture.pool.query(
      `select type_id, slot, start_at, duration_ms, offset_minutes, value from sample where user_key = $1
        order by type_id, start_at, slot`,
      [user],
    );
    const nights = await fixture.pool.query(
      'select start_at, end_at, wake_date, asleep_seconds, is_nap from sleep_session where user_key = $1 order by start_at',
      [user],
    );
    stored.push({ results, rows, nights: nights.rows });
  }
  expect(stored[1]).toEqual(stored[0]);
});

test("stops a slow batch while other users' batches are stored", async () => {
  const own = openWriter(2, { limitMs: LIMIT_MS, program: FAULTY });
  const [looping, other] = [await fixture.newUser(), await fixture.newUser()];
  const events: string[] = [];
  stopLimits();
  const loop = nextLoop();
  const failure = own
    .write(looping, many(113.5))
    .catch((error: unknown) => error)
    .finally(() => events.push('ended'));
  await loop;
  await own.write(other, many());
  await own.write(other, few());
  events.push('stored');
  await vi.advanceTimersByTimeAsync(LIMIT_MS);
  expect(await failure).toMatchObject({ code: 'decide_limit_exceeded', limit: 'time' });
  expect(events).toEqual(['stored', 'ended']);
  expect(await countSamples(looping)).toBe(0);
  await own.write(looping, many());
  expect([await countSamples(looping), await countSamples(other)]).toEqual([MANY, MANY + 1]);
});

// Starts a separate process, because the test runner's V8 flags let a thread exceed its memory limit by too much.
test('survives a decision that exceeds its memory limit', async () => {
  const script = `
    import { DecideThreads } from ${JSON.stringify(COMPILED.href)};
    const threads = new DecideThreads({ threads: 1, megabytes: 48, program: new URL(${JSON.stringify(FAULTY.href)}) });
    const thread = await threads.acquire();
    const how = { timeline: { data: () => ({ spans: [] }) }, limitMs: 60_000 };
    await thread.decide('samples', { rows: { value: [114.5] } }, how).catch(({ code, limit }) => console.log(code, limit));`;
  const node = ['--max-semi-space-size=8', '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, node);
  expect(stdout).toBe('decide_limit_exceeded memory\n');
});

test.each([
  ['a large batch', () => many()],
  [
    'a small batch that affects many stored samples',
    () =>
      batchOf([
        {
          kind: 'replacement',
          of: 'samples',
          provider: 'apple',
          writer: WATCH.writer,
          typeIds: [seriesTypeByCode('heart_rate').id],
          startMs: Date.parse(START),
          endMs: Date.parse('2026-03-12T00:00Z'),
        } as HealthRecord,
      ]),
  ],
])('%s waits for a thread without holding the user lock', async (_, batch) => {
  const own = openWriter(1, { limitMs: LIMIT_MS, program: FAULTY });
  const [looping, user] = [await fixture.newUser(), await fixture.newUser()];
  await own.write(user, many());
  stopLimits();
  const loop = nextLoop();
  let isEnded = false;
  const failure = own
    .write(looping, many(113.5))
    .catch((error: unknown) => error)
    .finally(() => {
      isEnded = true;
    });
  await loop;
  const waiting = own.write(user, batch());
  // Long enough for the writer to start waiting. The thread is busy until the time limit passes.
  await sleep(1500);
  const isFree = await inTransaction(fixture.pool, (client) => tryLockUser(client, user));
  expect([isFree, isEnded]).toEqual([true, false]);
  await vi.advanceTimersByTimeAsync(LIMIT_MS);
  expect(await failure).toMatchObject({ limit: 'time' });
  await waiting;
});

/**
 * Returns the priorities of this process's threads by thread id. Threads of other test files may run in the same
 * process.
 */
async function threadPriorities(): Promise<Map<string, number>> {
  const priorities = new Map<string, number>();
  for (const task of await readdir('/proc/self/task')) {
    // A thread may end before its line is read.
    const line = await readFile(`/proc/self/task/${task}/stat`, 'utf8').catch(() => '');
    const priority = line.split(') ')[1]?.split(' ')[16];
    if (priority !== undefined) priorities.set(task, Number(priority));
  }
  return priorities;
}

test.runIf(process.platform === 'linux')('lowers the priority of the decision thread only', async () => {
  const own = openWriter(1);
  const before = await threadPriorities();
  await own.write(await fixture.newUser(), many());
  const changed = [...(await threadPriorities())].filter(([task, priority]) =>
    before.has(task) ? priority !== before.get(task) : priority !== getPriority(),
  );
  expect(changed.map(([, priority]) => priority)).toEqual([getPriority() + 5]);
});

test('rejects running and queued batches when closed', async () => {
  const own = openWriter(1, { program: FAULTY, megabytes: 48 });
  const users = [await fixture.newUser(), await fixture.newUser()];
  const loop = nextLoop();
  const failures = users.map((user) => own.write(user, many(113.5)).catch((error: Error) => error.message));
  await loop;
  await own.close();
  expect(await Promise.all(failures)).toEqual(['The service is stopping.', 'The service is stopping.']);
  await expect(own.write(users[0] as number, few())).resolves.toBeDefined();
});
