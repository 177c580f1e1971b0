import { batchOf, countItems, type RejectionReport, RejectionTally } from '@healthd/model';
import type pg from 'pg';
import { type Connection, moveCursor, recordAwaitedItems } from '../../connections/index.js';
import { advanceRange, countsOf } from '../../runs/index.js';
import type { DisplacedSession } from '../../store/facts/index.js';
import { changedStates } from './changed-states.js';
import { requestDisplaced } from './displaced-sessions.js';
import { inGuardedTransaction, type StoredWindow, type WindowResult } from './guarded-window.js';
import { followsCursors, type OpenRun, resetFailures } from './open-runs.js';
import { cursorAfter } from './pull-range.js';
import type { PullServices } from './pull-services.js';
import { dropFallbacks } from './fallbacks.js';

/** Minimum time between two reported steps of a run. Each step is a row and wakes all watching callers. */
const REPORT_EVERY_MS = 500;

/**
 * Stores the vendor's data of one window. Commits the records, the run's progress, the cursor and the step in one
 * transaction, so a killed process loses nothing and counts nothing twice.
 */
export async function storeWindow(
  services: PullServices,
  run: OpenRun,
  connection: Connection,
  window: StoredWindow,
  lastReport: { reportedAtMs: number },
): Promise<WindowResult> {
  const { runs, metrics } = services;
  let rows = 0;
  const reports = performance.now() - lastReport.reportedAtMs >= REPORT_EVERY_MS;
  const { runId } = run;
  const result = await inGuardedTransaction(services, connection, { ...window, runId }, async (client) => {
    const followsCursor = followsCursors(run);
    const to = { runId, followsCursor, isLinked: false };
    const written = await write(services, client, run, to, connection, window);
    rows = written.rows;
    await followDisplaced(services, client, run, connection, window, written.displacedSessions);
    // Only this turn can count a failure or put the run in line, and it found the run like this before the request.
    if (run.failures > 0 || run.isInLine) await resetFailures(client, runId);
    if (!reports) return true;
    const moved = await runs.moveIn(client, runId, 'fetching', await fetchingStepOf(client, runId));
    return moved === 'recorded';
  });
  if (result === 'stored') metrics.rowsStored(connection.provider, rows);
  if (result === 'stored' && reports) {
    lastReport.reportedAtMs = performance.now();
    runs.announce(connection.userKey);
  }
  return result;
}

/** Stores the same window for another user of the same vendor account, in that user's own run. */
export async function storeLinkedWindow(
  services: PullServices,
  run: OpenRun,
  linkedRunId: string,
  connection: Connection,
  window: StoredWindow,
): Promise<WindowResult> {
  let rows = 0;
  const result = await inGuardedTransaction(services, connection, window, async (client) => {
    const to = { runId: linkedRunId, followsCursor: false, isLinked: true };
    ({ rows } = await write(services, client, run, to, connection, window));
    if (await isRunRetrying(client, linkedRunId)) await services.runs.moveIn(client, linkedRunId, 'fetching');
    return true;
  });
  if (result === 'stored') services.metrics.rowsStored(connection.provider, rows);
  return result;
}

/** @returns the number of written rows, and the sessions that moved or were deleted */
async function write(
  services: PullServices,
  client: pg.ClientBase,
  { kind }: OpenRun,
  { runId, followsCursor, isLinked }: { runId: string; followsCursor: boolean; isLinked: boolean },
  { id, userKey, provider, sourceAccount: account }: Connection,
  window: StoredWindow,
): Promise<{ rows: number; displacedSessions: readonly DisplacedSession[] }> {
  const { writer } = services;
  const { type, range, doneFromMs, doneItem, reading } = window;
  const { states = [], fallbacks } = reading;
  const of = { userKey, provider, account };
  const changed = states.length === 0 ? [] : await changedStates(client, of, states);
  const batch = fallbacks ? await dropFallbacks(client, of, reading.batch, fallbacks) : reading.batch;
  const written = await writer.writeIn(client, userKey, states.length === 0 ? batch : batchOf(changed), {
    arrival: { origin: kind === 'backfill' ? 'historical' : 'live', runId },
    account,
  });
  // Records an account's awaited items only once, even if several users share the account.
  const rejections = isLinked ? reading.rejections : await withAwaited(services, client, id, window);
  const counts = countsOf(written, { ...reading, rejections });
  countItems(counts, 'unchanged', states.length - changed.length);
  await advanceRange(client, runId, range, { doneFromMs, doneItem }, counts);
  const isComplete = doneFromMs <= range.fromMs && range.items === undefined;
  if (isComplete && kind !== 'webhook') {
    const cursorMs = cursorAfter(type, range.toMs);
    await moveCursor(client, id, type.id, { cursorMs, fromMs: range.fromMs, followsCursor });
  }
  const { displacedSessions } = written;
  return { rows: counts.inserted + counts.updated + counts.deleted, displacedSessions };
}

/** Returns the rejections. Includes parts of items that the vendor has not returned yet or has withheld for days. */
async function withAwaited(
  { now }: PullServices,
  client: pg.ClientBase,
  connectionId: string,
  { type, range, doneFromMs, reading: { awaited, rejections } }: StoredWindow,
): Promise<RejectionReport> {
  if (awaited === undefined && range.items === undefined) return rejections;
  const read = { startMs: doneFromMs, endMs: range.doneFromMs, doneItem: range.doneItem, items: range.items };
  const found = await recordAwaitedItems(client, { connectionId, dataType: type.id }, read, awaited ?? [], now());
  const tally = new RejectionTally();
  tally.addReport(rejections);
  const count = (items: number, detail: string) => {
    for (let index = 0; index < items; index++) {
      tally.add({ kind: 'rejected', collection: type.id, index, field: undefined, code: 'not_given', detail });
    }
  };
  count(found.waiting, 'requested again');
  count(found.abandoned, 'not requested again');
  return tally.report;
}

async function followDisplaced(
  { connections, now }: PullServices,
  client: pg.ClientBase,
  run: OpenRun,
  connection: Connection,
  { type, range }: StoredWindow,
  sessions: readonly DisplacedSession[],
): Promise<void> {
  const adapter = connections.configurationOf(connection.provider)?.cloud.pull;
  if (!adapter) return;
  const read = { startMs: range.fromMs, endMs: range.toMs };
  await requestDisplaced(client, connection, { adapter, type, run }, read, { sessions, at: now() });
}

/** True if the run waits for another attempt. */
async function isRunRetrying(client: pg.ClientBase, runId: string): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from sync_run where run_id = $1 and next_try_at is not null', [
    runId,
  ]);
  return rowCount === 1;
}

/** Returns the run's step from the progress of its ranges. */
async function fetchingStepOf(
  client: pg.ClientBase,
  runId: string,
): Promise<{ progress: number; itemsProcessed: number }> {
  const { rows } = await client.query<{ done_share: number | null; items: number }>(
    `select sum(extract(epoch from to_at - (case when outcome is null then done_from_at else from_at end)))::float8
              / nullif(sum(extract(epoch from to_at - from_at)), 0)::float8 as done_share,
            sum(inserted + updated + deleted)::float8 as items
       from pull_progress where run_id = $1`,
    [runId],
  );
  const { done_share, items = 0 } = rows[0] ?? { done_share: 0 };
  return { progress: Math.min(0.99, Math.max(0, done_share ?? 0)), itemsProcessed: items };
}
