import { randomUUID } from 'node:crypto';
import { MS_PER_DAY } from '@healthd/model';
import type { VendorFailure } from '@healthd/providers';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openPullFixture, type PullFixture } from '../../../../test/support/pull-fixture.js';
import { cancelRun } from './end-run.js';

let pulls: PullFixture;
beforeAll(async () => {
  pulls = await openPullFixture();
});
afterAll(() => pulls.close());
beforeEach(async () => {
  const { fixture, vendor, connectionId } = pulls;
  await fixture.pool.query('delete from connection_data_type where connection_id = $1', [connectionId]);
  await fixture.pool.query('update connection set last_synced_at = null where id = $1', [connectionId]);
  vendor.fault = () => undefined;
});

const REJECTED: VendorFailure = { code: 'invalid_request', status: 400 };
const UNCONSENTED: VendorFailure = { code: 'scope_missing', status: 403 };
const TYPES = ['steps', 'pulse', 'runs'];
/** Vendor faults by data type, and the status of the run that follows. */
const MIXES: [string, Record<string, VendorFailure>, string][] = [
  ['nothing fails', {}, 'success'],
  ['one type is rejected', { steps: REJECTED }, 'partial'],
  ['one type lacks consent', { pulse: UNCONSENTED }, 'success'],
  ['every type is rejected', { steps: REJECTED, pulse: REJECTED, runs: REJECTED }, 'failed'],
];

it.each(
  MIXES.flatMap(([name, faults, status]) =>
    (['live', 'manual', 'manual from a date', 'backfill'] as const).map(
      (kind) => [kind, name, faults, status] as const,
    ),
  ),
)('a run of type $0 ends as $3 if $1', async (kind, _, faults, status) => {
  const { fixture, vendor, connectionId, pull, now } = pulls;
  vendor.fault = (dataType) => faults[dataType];
  const isFromDate = kind === 'manual from a date' || kind === 'backfill';
  const fromAt = isFromDate ? new Date(now() - 3 * MS_PER_DAY) : undefined;
  const run = await pull(kind === 'manual from a date' ? 'manual' : kind, fromAt);
  expect(run.status).toBe(status);

  const { rows: connections } = await fixture.pool.query('select last_synced_at from connection where id = $1', [
    connectionId,
  ]);
  const isSynced = kind !== 'backfill' && status !== 'failed';
  expect(connections[0].last_synced_at !== null).toBe(isSynced);
  const { rows: states } = await fixture.pool.query(
    'select data_type, last_outcome, cursor_at is not null as has_cursor from connection_data_type where connection_id = $1',
    [connectionId],
  );
  // Only a run that starts at the cursors moves them.
  const expected = TYPES.map((type) => ({
    data_type: type,
    last_outcome: faults[type] === undefined ? 'success' : faults[type] === UNCONSENTED ? 'skipped' : 'failed',
    has_cursor: faults[type] === undefined,
  }));
  expect(states.toSorted((a, b) => TYPES.indexOf(a.data_type) - TYPES.indexOf(b.data_type))).toEqual(
    isFromDate ? [] : expected,
  );
});

const notification = fc.record({
  dataType: fc.constantFrom(...TYPES),
  account: fc.constantFrom('vendor-1', 'vendor-2'),
  isOfRun: fc.boolean(),
});
const ending = fc.record({
  notifications: fc.array(notification, { minLength: 3, maxLength: 8, size: 'max' }),
  outcomes: fc.record(
    Object.fromEntries(TYPES.map((type) => [type, fc.constantFrom('success', 'failed', null, undefined)])),
  ),
  isActive: fc.boolean(),
  /** Accounts of another user's active connection and ended connection. */
  other: fc.constantFrom('vendor-1', 'vendor-2', 'vendor-3'),
  isOtherActive: fc.boolean(),
});

it('ends or releases the notifications of a run like a naive model', async () => {
  const { fixture, user } = pulls;
  const property = fc.asyncProperty(ending, async ({ notifications, outcomes, isActive, other, isOtherActive }) => {
    const { pool, services } = fixture;
    await pool.query('delete from provider_notification');
    await pool.query("delete from connection where provider = 'polar'");
    const [id, runId] = [randomUUID(), `run-${randomUUID()}`];
    const stranger = await fixture.addUser();
    for (const [connection, userKey, account, isOn] of [
      [id, user.userKey, 'vendor-1', isActive],
      [randomUUID(), stranger.userKey, other, isOtherActive],
    ] as const) {
      await pool.query(
        `insert into connection (id, user_key, provider, provider_user_id, status) values ($1, $2, 'polar', $3, $4)`,
        [connection, userKey, account, isOn ? 'active' : 'revoked'],
      );
    }
    await pool.query(
      `insert into sync_run (run_id, user_key, provider, source, stage, status) values ($1, $2, 'polar', 'webhook', 'fetching', 'in_progress')`,
      [runId, user.userKey],
    );
    await pool.query(`insert into pull_run (run_id, connection_id, kind) values ($1, $2, 'webhook')`, [runId, id]);
    for (const [type, outcome] of Object.entries(outcomes)) {
      if (outcome === undefined) continue;
      await pool.query(
        `insert into pull_progress (run_id, data_type, from_at, to_at, done_from_at, outcome) values ($1, $2, now(), now(), now(), $3)`,
        [runId, type, outcome],
      );
    }
    for (const { dataType, account, isOfRun } of notifications) {
      await pool.query(
        `insert into provider_notification (provider, provider_user_id, data_type, operation, start_at, end_at, run_id)
         values ('polar', $1, $2, 'upsert', now(), now(), $3)`,
        [account, dataType, isOfRun ? runId : 'another run'],
      );
    }
    await cancelRun(services, { runId, connectionId: id }, 'Stopped.');
    const accounts = [...(isActive ? ['vendor-1'] : []), ...(isOtherActive ? [other] : [])];
    const expected = notifications.map(({ dataType, account, isOfRun }) => {
      if (!isOfRun) return 'received another run';
      if (outcomes[dataType] === 'success' || outcomes[dataType] === undefined) return `done ${runId}`;
      const isOwn = isActive && account === 'vendor-1';
      return !isOwn && accounts.includes(account) ? 'received null' : `failed ${runId}`;
    });
    const { rows } = await pool.query('select state, run_id from provider_notification order by seq');
    expect(rows.map(({ state, run_id }) => `${state} ${run_id}`)).toEqual(expected);
    expect((await pool.query('select from pull_run where run_id = $1', [runId])).rowCount).toBe(0);
  });
  await fc.assert(property, { numRuns: 20, endOnFailure: true });
});
