import { randomUUID } from 'node:crypto';
import { MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { notificationCleaning } from './clean-notifications.js';
import { jobConnectionOf } from './enqueue-pull.js';
import { dueWork, LONG_RUN_WINDOWS, nextResumeAt, openRunsOf } from './open-runs.js';
import { pullSweeper } from './pull-sweeper.js';

const NOW_MS = Date.now();
const NOW = new Date(NOW_MS);
const KINDS = ['webhook', 'manual', 'live', 'backfill'];

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

const connection = fc.record({
  provider: fc.constantFrom('oura', 'oura', 'polar'),
  account: fc.option(fc.constantFrom('v1', 'v1', 'v2'), { freq: 8 }),
  isActive: fc.boolean(),
  deliveries: fc.nat({ max: 3 }),
});
const run = fc.record({
  connection: fc.nat({ max: 5 }),
  kind: fc.constantFrom(...KINDS),
  /** Minutes from now until the run is due. */
  dueMinutes: fc.constantFrom(-30, -1, 0, 1, 60),
  windows: fc.constantFrom(0, 1, LONG_RUN_WINDOWS - 1, LONG_RUN_WINDOWS, LONG_RUN_WINDOWS + 9),
});
const notification = fc.record({
  provider: fc.constantFrom('oura', 'polar'),
  account: fc.constantFrom('v1', 'v2', 'v3'),
  state: fc.constantFrom('received', 'received', 'done', 'failed'),
  hasRun: fc.boolean(),
  ageDays: fc.constantFrom(0, 1, 29, 31),
});
const life = fc.record({
  connections: fc.array(connection, { minLength: 6, maxLength: 6 }),
  // A connection has at most one open run of each type, except webhook runs.
  runs: fc.uniqueArray(run, {
    minLength: 5,
    maxLength: 14,
    size: 'max',
    selector: (one) => (one.kind === 'webhook' ? JSON.stringify(one) : `${one.connection} ${one.kind}`),
  }),
  notifications: fc.array(notification, { maxLength: 8, size: 'max' }),
});
type Life = typeof life extends fc.Arbitrary<infer Value> ? Value : never;
type StoredConnection = Life['connections'][number] & { id: string };
type StoredRun = Life['runs'][number] & { runId: string; of: StoredConnection };

async function store({ connections, runs, notifications }: Life) {
  await fixture.pool.query('delete from provider_notification');
  await fixture.pool.query('delete from health_user');
  const stored: StoredConnection[] = [];
  const users: number[] = [];
  for (const [index, one] of connections.entries()) {
    const [id, userKey] = [randomUUID(), await fixture.newUser()];
    users.push(userKey);
    // Connections of equal creation time are ordered by their IDs.
    const createdAt = new Date(NOW_MS - MS_PER_DAY + Math.floor(index / 2) * MS_PER_MINUTE);
    await fixture.pool.query(
      `insert into connection (id, user_key, provider, provider_user_id, status, created_at, delivered_portions)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [id, userKey, one.provider, one.account, one.isActive ? 'active' : 'revoked', createdAt, one.deliveries],
    );
    stored.push({ ...one, id });
  }
  const inOrder = stored
    .map((one, index) => ({ one, group: Math.floor(index / 2) }))
    .toSorted((a, b) => a.group - b.group || (a.one.id < b.one.id ? -1 : 1))
    .map(({ one }) => one);
  const open: StoredRun[] = [];
  for (const [index, one] of runs.entries()) {
    const of = stored[one.connection] as StoredConnection;
    const runId = `run-${String(index).padStart(3, '0')}-${randomUUID()}`;
    await fixture.pool.query(
      `insert into sync_run (run_id, user_key, provider, source, stage, status) values ($1, $2, $3, 'pull', 'queued', 'in_progress')`,
      [runId, users[one.connection], of.provider],
    );
    await fixture.pool.query('insert into pull_run (run_id, connection_id, kind, resume_at) values ($1, $2, $3, $4)', [
      runId,
      of.id,
      one.kind,
      new Date(NOW_MS + one.dueMinutes * MS_PER_MINUTE),
    ]);
    // The windows of a run are the windows of all its ranges.
    for (const [part, windows] of [Math.floor(one.windows / 2), Math.ceil(one.windows / 2)].entries()) {
      if (windows === 0) continue;
      await fixture.pool.query(
        `insert into pull_progress (run_id, data_type, from_at, to_at, done_from_at, windows) values ($1, $2, now(), now(), now(), $3)`,
        [runId, `type-${part}`, windows],
      );
    }
    open.push({ ...one, runId, of });
  }
  for (const one of notifications) {
    await fixture.pool.query(
      `insert into provider_notification (provider, provider_user_id, data_type, operation, start_at, end_at, state, run_id, received_at)
       values ($1, $2, 'steps', 'upsert', now(), now(), $3, $4, $5)`,
      [one.provider, one.account, one.state, one.hasRun ? 'run' : null, new Date(NOW_MS - one.ageDays * MS_PER_DAY)],
    );
  }
  return { connections: inOrder, open };
}

/** Returns the connections whose runs one job processes. */
function together(all: readonly StoredConnection[], one: StoredConnection): StoredConnection[] {
  const isShared = ({ id, provider, account, isActive }: StoredConnection) =>
    id === one.id ||
    (one.isActive && isActive && provider === one.provider && account !== null && account === one.account);
  return all.filter(isShared);
}

it("selects a job's runs and connection like a naive model", async () => {
  const property = fc.asyncProperty(life, async (drawn) => {
    const { connections, open } = await store(drawn);
    const waiting = drawn.notifications.filter(({ state, hasRun }) => state === 'received' && !hasRun);
    for (const one of connections) {
      const job = together(connections, one);
      const own = open.filter(({ of }) => job.includes(of));
      const due = own.filter(({ dueMinutes }) => dueMinutes <= 0);
      const rank = (each: StoredRun) => [
        Math.max(each.windows, LONG_RUN_WINDOWS - 1),
        KINDS.indexOf(each.kind),
        each.dueMinutes,
        open.indexOf(each),
      ];
      const first = due.toSorted((a, b) => {
        const [left, right] = [rank(a), rank(b)];
        const at = left.findIndex((value, index) => value !== right[index]);
        return at < 0 ? 0 : (left[at] as number) - (right[at] as number);
      })[0];
      const { run: found, hasNotifications, delivered } = await dueWork(fixture.pool, one.id, NOW);
      expect(hasNotifications).toBe(
        waiting.some(({ provider, account }) => provider === one.provider && account === one.account),
      );
      expect(delivered).toEqual(Object.fromEntries(job.map(({ id, deliveries }) => [id, deliveries])));
      expect(
        found && { runId: found.runId, kind: found.kind, connectionId: found.connectionId, isNew: found.isNew },
      ).toEqual(
        first && { runId: first.runId, kind: first.kind, connectionId: first.of.id, isNew: first.windows === 0 },
      );
      const soonest = own.length === 0 ? undefined : Math.min(...own.map(({ dueMinutes }) => dueMinutes));
      expect((await nextResumeAt(fixture.pool, one.id))?.getTime()).toBe(
        soonest === undefined ? undefined : NOW_MS + soonest * MS_PER_MINUTE,
      );
      const ids = (await openRunsOf(fixture.pool, one.id)).map(({ runId }) => runId);
      expect(ids.toSorted()).toEqual(
        open
          .filter(({ of }) => of === one)
          .map(({ runId }) => runId)
          .toSorted(),
      );
      expect(await jobConnectionOf(fixture.pool, one.id)).toBe(job[0]?.id);
    }
    const needed = connections.filter(
      (one) =>
        open.some(({ of, dueMinutes }) => of === one && dueMinutes <= 0) ||
        (one.isActive && waiting.some(({ provider, account }) => provider === one.provider && account === one.account)),
    );
    const unqueued = await pullSweeper({ pool: fixture.pool, now: () => NOW }).findUnqueued(100);
    expect(unqueued.map(({ connection_id: id }) => id).toSorted()).toEqual(
      [...new Set(needed.map((one) => together(connections, one)[0]?.id))].toSorted(),
    );
  });
  await fc.assert(property, { numRuns: 20, endOnFailure: true });
});

it('deletes exactly old notifications and notifications of unknown accounts', async () => {
  const property = fc.asyncProperty(life, async (drawn) => {
    await store({ ...drawn, runs: [] });
    const isKnown = ({ provider, account }: Life['notifications'][number]) =>
      drawn.connections.some((one) => one.provider === provider && one.account === account);
    const kept = drawn.notifications.filter((one) => one.ageDays < 30 && isKnown(one));
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const context = {
      signal: new AbortController().signal,
      attempt: 1,
      touch: async () => {},
      again: async () => true,
      log,
    };
    await notificationCleaning({ pool: fixture.pool }).clean(context);
    const { rows } = await fixture.pool.query(
      'select provider, provider_user_id as account, state from provider_notification order by seq',
    );
    expect(rows).toEqual(kept.map(({ provider, account, state }) => ({ provider, account, state })));
  });
  await fc.assert(property, { numRuns: 15, endOnFailure: true });
});
