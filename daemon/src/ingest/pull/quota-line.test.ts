import { MS_PER_DAY, MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import { OWN_QUOTA } from '@healthd/providers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openReadingFixture, type ReadingFixture } from '../../../../test/support/reading-fixture.js';
import { ScriptedVendor } from '../../../../test/support/scripted-vendor.js';
import { windowsOf } from '../../connections/index.js';
import { queueBackfill } from './connected.js';
import { queuePull } from './open-runs.js';

/** Time per request with a daily quota of 1,000 requests. A run has three data types. */
const PER_REQUEST_MS = 96 * MS_PER_SECOND;
const RUN_MS = 3 * PER_REQUEST_MS;
const WAIT_MS = 20 * MS_PER_SECOND;

let vendor: ScriptedVendor;
let fixture: ReadingFixture;
let nowMs: number;
let isSpent: boolean;

beforeEach(async () => {
  vendor = new ScriptedVendor();
  vendor.windowMs = 30 * MS_PER_DAY;
  nowMs = Date.now();
  isSpent = true;
  const refusal = {
    code: 'rate_limited',
    reason: OWN_QUOTA,
    retryAfterMs: WAIT_MS,
    perRequestMs: PER_REQUEST_MS,
  } as const;
  vendor.fault = () => (isSpent ? refusal : undefined);
  const provider = vendor.provider();
  Object.assign(provider.cloud!, {
    quotas: { perUserAndMinute: 1_000, perApplicationAndMinute: 60, perApplicationAndDay: 1_000 },
  });
  fixture = await openReadingFixture({ provider, now: () => new Date(nowMs) });
});
afterEach(() => fixture.close());

async function connected(account: string) {
  const user = await fixture.addUser();
  const connection = await fixture.connections.findConnectionById(await fixture.consent(user, account));
  return { user, connection: connection! };
}
const runOf = async ({ userKey }: { userKey: number }) => {
  const { rows } = await fixture.pool.query(
    `select r.stage, r.status, r.retry_reason, r.retry_attempt, r.retry_max_attempts, r.message, p.failures, p.waits_as,
            round(extract(epoch from p.resume_at) * 1000)::float8 as resume_ms
       from sync_run r left join pull_run p using (run_id) where r.user_key = $1 order by r.created_at desc limit 1`,
    [userKey],
  );
  return rows[0];
};
const waiting = async () => (await fixture.connections.quotaUseOf('oura'))?.waiting;

it('waits for the quota without counting failed attempts', async () => {
  const { user, connection } = await connected('one');
  await queueBackfill(fixture.services, connection, 30);
  for (let turn = 0; turn < 30; turn++) {
    await fixture.work(connection.id);
    nowMs += WAIT_MS;
  }
  expect(await runOf(user)).toMatchObject({
    status: 'in_progress',
    retry_reason: 'rate_limited own_quota',
    retry_attempt: 1,
    retry_max_attempts: null,
    failures: 0,
    waits_as: 'backfill',
    message: expect.stringContaining('is queued'),
  });
  expect(await waiting()).toMatchObject({ backfill: 1, live: 0 });
  isSpent = false;
  await fixture.work(connection.id);
  expect(await runOf(user)).toMatchObject({ status: 'success', waits_as: null });
  expect(await waiting()).toMatchObject({ backfill: 0 });
});

it('resumes waiting runs in order, with one queue per priority', async () => {
  const started = [await connected('one'), await connected('two'), await connected('three')];
  for (const { connection } of started) await queueBackfill(fixture.services, connection, 30);
  // The order follows the requests, regardless of which run checks the quota first.
  for (const { connection } of started.toReversed()) await fixture.work(connection.id);
  for (const { connection } of started) await fixture.work(connection.id);
  nowMs += RUN_MS;
  for (const { connection } of started.toReversed()) await fixture.work(connection.id);
  const [first, second, third] = await Promise.all(started.map(async ({ user }) => (await runOf(user)).resume_ms));
  expect([second - first, third - first]).toEqual([RUN_MS, 2 * RUN_MS]);

  const manual = await connected('four');
  await queuePull(fixture.services, manual.connection, { kind: 'manual' });
  await fixture.work(manual.connection.id);
  expect((await runOf(manual.user)).resume_ms).toBe(nowMs + WAIT_MS);
  expect(await waiting()).toEqual({ manual: 1, first_sync: 0, webhook: 0, live: 0, backfill: 3 });
});

it('resumes runs at the pace of the minute quota that rejected them', async () => {
  const { pull, quotas } = fixture.provider.cloud!;
  const read = pull!.read;
  pull!.read = async (api, ...rest) => {
    await api.call({ path: '/steps' });
    return read(api, ...rest);
  };
  const started = [await connected('one'), await connected('two'), await connected('three')];
  const minute = fixture.connections.budgets.application('oura', windowsOf(quotas).slice(0, 1), 'manual');
  for (let sent = 0; sent < 50; sent++) await minute.take(MS_PER_MINUTE);
  for (const { connection } of started) {
    await queuePull(fixture.services, connection, { kind: 'manual' });
    await fixture.work(connection.id);
  }
  expect(await waiting()).toMatchObject({ manual: 3 });
  const [first, second, third] = await Promise.all(started.map(async ({ user }) => (await runOf(user)).resume_ms));
  // Each earlier run in the line delays a run by three requests of the minute quota.
  const minuteRunMs = (3 * MS_PER_MINUTE) / 54;
  expect(second - first).toBeLessThanOrEqual(minuteRunMs + 1);
  expect(third - first).toBeLessThanOrEqual(2 * minuteRunMs + 1);
});

it("does not queue a run that exhausted its user's quota", async () => {
  const { user, connection } = await connected('one');
  vendor.fault = () => ({ code: 'rate_limited', reason: OWN_QUOTA, retryAfterMs: WAIT_MS });
  await queuePull(fixture.services, connection, { kind: 'manual' });
  await fixture.work(connection.id);
  expect(await runOf(user)).toMatchObject({ resume_ms: nowMs + WAIT_MS, waits_as: null, failures: 0 });
});

it('wakes the first run waiting for quota when a run ends', async () => {
  const past = await connected('one');
  const [next, later] = [await connected('two'), await connected('three')];
  await queueBackfill(fixture.services, past.connection, 30);
  for (const { connection } of [next, later]) await queuePull(fixture.services, connection, { kind: 'manual' });
  for (const { connection } of [past, next, later]) await fixture.work(connection.id);
  expect(await waiting()).toMatchObject({ manual: 2, backfill: 1 });
  isSpent = false;
  const last = await connected('four');
  await queuePull(fixture.services, last.connection, { kind: 'manual' });
  const enqueued: string[] = [];
  fixture.queued.again = async (id) => enqueued.push(id) > 0;
  await fixture.work(last.connection.id);
  expect(enqueued).toContain(next.connection.id);
  expect((await runOf(next.user)).resume_ms).toBe(nowMs);
  expect((await runOf(later.user)).resume_ms).toBeGreaterThan(nowMs);
  await fixture.work(next.connection.id);
  expect(await runOf(next.user)).toMatchObject({ status: 'success' });
  expect((await runOf(later.user)).resume_ms).toBe(nowMs);
});

it('does not count a waiting connection as failing', async () => {
  const { user, connection } = await connected('one');
  const errorOf = async () => {
    const { rows } = await fixture.pool.query('select last_error, failing_since from connection where id = $1', [
      connection.id,
    ]);
    return rows[0];
  };
  await queueBackfill(fixture.services, connection, 30);
  vendor.fault = () => ({ code: 'rate_limited', reason: OWN_QUOTA, retryAfterMs: MS_PER_DAY, perRequestMs: 1 });
  await fixture.work(connection.id);
  expect(await runOf(user)).toMatchObject({ status: 'in_progress', waits_as: 'backfill' });
  expect(await errorOf()).toEqual({ last_error: null, failing_since: null });

  vendor.fault = () => ({ code: 'unavailable', status: 503 });
  await queuePull(fixture.services, connection, { kind: 'manual' });
  await fixture.work(connection.id);
  expect(await errorOf()).toEqual({ last_error: expect.any(String), failing_since: expect.any(Date) });
  vendor.fault = () => undefined;
  nowMs += MS_PER_MINUTE;
  await fixture.work(connection.id);
  expect(await waiting()).toMatchObject({ backfill: 1 });
  expect(await errorOf()).toEqual({ last_error: null, failing_since: null });
});
