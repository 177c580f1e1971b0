import { MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../test/support/record-fixture.js';
import type { JobContext } from '../platform/jobs/index.js';
import { PriorityStore } from '../priorities/index.js';
import { archivalJob } from './archival-job.js';
import { requestRun, writeSettings } from './archival-settings.js';

const ON = { archiveAfterDays: 90, deleteAfterDays: null };
const OFF = { archiveAfterDays: null, deleteAfterDays: null };
const CONTEXT: JobContext = {
  signal: new AbortController().signal,
  attempt: 1,
  touch: async () => undefined,
  again: async () => true,
  log: { debug() {}, info() {}, warn() {}, error() {} },
};

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
  await fixture.newUser();
});
afterAll(() => fixture.close());

const fail = () => {
  throw new Error('priorities unavailable');
};

/** Runs the due job. @param meanwhile called during the run, which fails for a user if it throws */
async function runJob(meanwhile: () => unknown) {
  await writeSettings(fixture.pool, ON);
  const priorities = new PriorityStore(fixture.pool);
  const current = async () => {
    await meanwhile();
    return priorities.current();
  };
  const fromMs = Date.now();
  await archivalJob({ pool: fixture.pool, priorities: { current } }).run({}, CONTEXT);
  const { rows } = await fixture.pool.query<{ at: Date | null; task: string | null }>(
    'select next_run_at as at, task_id as task from archival_setting',
  );
  return { nextMs: rows[0]?.at?.getTime(), taskId: rows[0]?.task, fromMs, toMs: Date.now() };
}

it('plans the next daily run after a complete run', async () => {
  const { nextMs = 0, taskId, fromMs, toMs } = await runJob(() => undefined);
  expect([nextMs % MS_PER_DAY, taskId]).toEqual([180 * MS_PER_MINUTE, null]);
  expect(nextMs).toBeGreaterThan(fromMs);
  expect(nextMs).toBeLessThanOrEqual(toMs + MS_PER_DAY);
});

it('plans another run after 15 minutes if a user failed', async () => {
  const { nextMs, fromMs, toMs } = await runJob(fail);
  expect(nextMs).toBeGreaterThanOrEqual(fromMs + 15 * MS_PER_MINUTE);
  expect(nextMs).toBeLessThanOrEqual(toMs + 15 * MS_PER_MINUTE);
});

it.each([
  ['a complete run', () => undefined],
  ['a failed run', fail],
])('plans an immediate run if a run is requested during %s', async (_, end) => {
  let requestedId: string | undefined;
  const { nextMs, taskId, toMs } = await runJob(async () => {
    requestedId = await requestRun(fixture.pool);
    end();
  });
  expect(taskId).toBe(requestedId);
  expect(nextMs).toBeLessThanOrEqual(toMs);
});

it.each([
  ['a complete run', () => undefined],
  ['a failed run', fail],
])('plans no run if archival is turned off during %s', async (_, end) => {
  const { nextMs } = await runJob(async () => {
    await writeSettings(fixture.pool, OFF);
    end();
  });
  expect(nextMs).toBeUndefined();
});
