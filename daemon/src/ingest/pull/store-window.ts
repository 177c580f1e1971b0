import { batchOf, countItems, type RejectionReport, RejectionTally } from '@healthd/model';
import type { PullDataType, WindowReading } from '@healthd/providers';
import type pg from 'pg';
import { type Connection, moveCursor, noteAwaited } from '../../connections/index.js';
import { inTransaction, lockUser, UserMissingError } from '../../platform/database/index.js';
import { advanceRange, countsOf, type RunRange } from '../../runs/index.js';
import type { DisplacedSession, WriteResult } from '../../store/facts/index.js';
import { changedStates } from './changed-states.js';
import { askAboutDisplaced } from './displaced-sessions.js';
import { followsCursors, type OpenRun } from './open-runs.js';
import { cursorAfter } from './pull-range.js';
import type { PullServices } from './pull-services.js';
import { withoutStandIns } from './stand-ins.js';

/** A range of a run, and how far the window in progress brings it. */
export interface StoredWindow {
  type: PullDataType;
  range: RunRange;
  /** Everything of the range from here on is stored with this window. */
  doneFromMs: number;
  /** Of the items of the last millisecond before it, those up to this id are stored too. */
  doneItem: string | undefined;
  reading: WindowReading;
  /** {@link deliveredPortions} of the connections when the vendor was asked. */
  delivered: DeliveredPortions;
}

/** How many portions of deliveries were stored for a connection, by its id. */
type DeliveredPortions = ReadonlyMap<string, number>;

/**
 * `gone`: the user, the connection or the run is no more, or was ended meanwhile. `outdated`: a delivery was stored since the
 * vendor was asked; the answer may lack what it brought, or have an older value, so nothing of the answer is stored.
 */
export type WindowResult = 'stored' | 'gone' | 'outdated';

/** Shortest time between two reported steps of a run: each is a row and wakes every caller that watches. */
const REPORT_EVERY_MS = 500;

/** Read before the vendor is asked. */
export async function deliveredPortions(pool: pg.Pool, connections: readonly Connection[]): Promise<DeliveredPortions> {
  const { rows } = await pool.query<{ id: string; portions: number }>(
    'select id, delivered_portions as portions from connection where id = any ($1::uuid[])',
    [connections.map(({ id }) => id)],
  );
  return new Map(rows.map(({ id, portions }) => [id, portions]));
}

/**
 * Stores what the vendor holds for one window: records, the run's progress, the cursor and the step are one transaction,
 * so that a process which is killed anywhere loses nothing and counts nothing twice.
 */
export async function storeWindow(
  services: PullServices,
  run: OpenRun,
  connection: Connection,
  window: StoredWindow,
  lastReport: { reportedAtMs: number },
): Promise<WindowResult> {
  const { runs } = services;
  const reports = performance.now() - lastReport.reportedAtMs >= REPORT_EVERY_MS;
  const result = await inGuardedTransaction(services, connection, window, async (client) => {
    const followsCursor = followsCursors(run);
    const to = { runId: run.runId, followsCursor, isLinked: false };
    const { displacedSessions } = await write(services, client, run, to, connection, window);
    await followDisplaced(services, client, run, connection, window, displacedSessions);
    await client.query(
      `update pull_run set failures = 0, waits_as = null
        where run_id = $1 and (failures > 0 or waits_as is not null)`,
      [run.runId],
    );
    if (!reports) return isOpen(client, run.runId);
    const moved = await runs.moveIn(client, run.runId, 'fetching', await stepOf(client, run.runId));
    return moved === 'recorded';
  });
  if (result === 'stored' && reports) {
    lastReport.reportedAtMs = performance.now();
    runs.announce(connection.userKey);
  }
  return result;
}

/** The same window for another user of the same vendor account, in a run of that user's own. */
export async function storeLinkedWindow(
  services: PullServices,
  run: OpenRun,
  linkedRunId: string,
  connection: Connection,
  window: StoredWindow,
): Promise<WindowResult> {
  return inGuardedTransaction(services, connection, window, async (client) => {
    await write(
      services,
      client,
      run,
      { runId: linkedRunId, followsCursor: false, isLinked: true },
      connection,
      window,
    );
    if (await isRetrying(client, linkedRunId)) await services.runs.moveIn(client, linkedRunId, 'fetching');
    return true;
  });
}

async function write(
  services: PullServices,
  client: pg.ClientBase,
  { kind }: OpenRun,
  { runId, followsCursor, isLinked }: { runId: string; followsCursor: boolean; isLinked: boolean },
  { id, userKey, provider }: Connection,
  window: StoredWindow,
): Promise<WriteResult> {
  const { writer, metrics } = services;
  const { type, range, doneFromMs, doneItem, reading } = window;
  const { states = [], standIns } = reading;
  const of = { userKey, provider };
  const changed = states.length === 0 ? [] : await changedStates(client, of, states);
  const batch = standIns ? await withoutStandIns(client, of, reading.batch, standIns) : reading.batch;
  const written = await writer.writeIn(client, userKey, states.length === 0 ? batch : batchOf(changed));
  // The items of an account are awaited once, whoever else has it.
  const rejections = isLinked ? reading.rejections : await withAwaited(services, client, id, window);
  const counts = countsOf(written, { ...reading, rejections });
  countItems(counts, 'unchanged', states.length - changed.length);
  await advanceRange(client, runId, range, { doneFromMs, doneItem }, counts);
  const isComplete = doneFromMs <= range.fromMs && range.items === undefined;
  if (isComplete && kind !== 'webhook') {
    const cursorMs = cursorAfter(type, range.toMs);
    await moveCursor(client, id, type.id, { cursorMs, fromMs: range.fromMs, followsCursor });
  }
  metrics.rowsStored(provider, counts.inserted + counts.updated + counts.deleted);
  return written;
}

/** What was rejected, with the parts of items that the vendor did not give yet, or not for days. */
async function withAwaited(
  { now }: PullServices,
  client: pg.ClientBase,
  connectionId: string,
  { type, range, doneFromMs, reading: { awaited, rejections } }: StoredWindow,
): Promise<RejectionReport> {
  if (awaited === undefined && range.items === undefined) return rejections;
  const read = { startMs: doneFromMs, endMs: range.doneFromMs, doneItem: range.doneItem, items: range.items };
  const found = await noteAwaited(client, { connectionId, dataType: type.id }, read, awaited ?? [], now());
  const tally = new RejectionTally();
  tally.addReport(rejections);
  const count = (items: number, detail: string) => {
    for (let index = 0; index < items; index++) {
      tally.add({ kind: 'rejected', collection: type.id, index, field: undefined, code: 'not_given', detail });
    }
  };
  count(found.waiting, 'requested again');
  count(found.givenUp, 'not requested again');
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
  await askAboutDisplaced(client, connection, { adapter, type, run }, read, { sessions, at: now() });
}

/**
 * Runs `work` while the connection cannot be ended and no delivery is stored for it; nothing is written for one that was
 * ended, or has another account.
 */
async function inGuardedTransaction(
  { pool }: PullServices,
  { id, userKey, providerUserId }: Connection,
  { type, delivered }: Pick<StoredWindow, 'type' | 'delivered'>,
  work: (client: pg.PoolClient) => Promise<boolean>,
): Promise<WindowResult> {
  try {
    return await inTransaction(pool, async (client) => {
      await lockUser(client, userKey);
      const { rows } = await client.query<{ portions: number }>(
        `select delivered_portions as portions from connection
          where id = $1 and status = 'active' and provider_user_id is not distinct from $2 for share`,
        [id, providerUserId ?? null],
      );
      if (type.notified && rows[0] && rows[0].portions !== delivered.get(id)) return 'outdated' as const;
      if (!rows[0] || !(await work(client))) throw new WindowRefused();
      return 'stored' as const;
    });
  } catch (error) {
    if (error instanceof WindowRefused || error instanceof UserMissingError) return 'gone';
    throw error;
  }
}

/** Takes back what was written for a run or a connection that has ended. */
class WindowRefused extends Error {
  override readonly name = 'WindowRefused';
}

async function isOpen(client: pg.ClientBase, runId: string): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from sync_run where run_id = $1 and ended_at is null', [runId]);
  return rowCount === 1;
}

async function isRetrying(client: pg.ClientBase, runId: string): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from sync_run where run_id = $1 and next_try_at is not null', [
    runId,
  ]);
  return rowCount === 1;
}

async function stepOf(client: pg.ClientBase, runId: string): Promise<{ progress: number; itemsProcessed: number }> {
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
