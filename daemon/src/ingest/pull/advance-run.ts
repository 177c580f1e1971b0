import { batchOf, MS_PER_MINUTE, RejectionTally } from '@healthd/model';
import { type BudgetAnswer, type PullDataType, type ReadWindow, VendorError } from '@healthd/providers';
import { type Connection, isGranted, type PullBlocker, pullBlockerText } from '../../connections/index.js';
import { endOpenRanges, giveUpType, nextRange, noteFailure, type RunRange } from '../../runs/index.js';
import { cancelRun, endRun } from './end-run.js';
import { linkedRunOf, openLinkedRuns } from './linked-runs.js';
import { countFailure, type OpenRun, postpone, resetFailures, resumeNow } from './open-runs.js';
import { planRun } from './plan-run.js';
import type { PullServices } from './pull-services.js';
import type { DeferredType, PullContext, PullTurn } from './pull-turn.js';
import { waitForQuota } from './quota-line.js';
import { deliveredPortions, type StoredWindow, storeLinkedWindow, storeWindow } from './store-window.js';
import { pullFailureOf } from './vendor-failure.js';
import { withRoom } from './with-room.js';

/** Each reading that a delivery makes outdated is spent in vain, and quotas are small. */
const OUTDATED_IN_A_ROW = 3;
const OUTDATED_WAIT_MS = 5 * MS_PER_MINUTE;
const OUTDATED_LIMIT = 12;

/** Reads and stores the next window of a run, or ends it, or puts it off. */
export async function advanceRun(
  services: PullServices,
  turn: PullTurn,
  run: OpenRun,
  signal: AbortSignal,
): Promise<void> {
  let context: PullContext | PullBlocker;
  try {
    context = await turn.contextOf(run);
  } catch (error) {
    if (error instanceof VendorError) return handleVendorFailure(services, turn, run, undefined, error);
    throw error;
  }
  if (typeof context === 'string') return hindered(services, run, context);
  if (run.isNew) await planRun(services, run, context);

  const order = context.adapter.dataTypes.map(({ id }) => id);
  const range = await nextRange(services.pool, run.runId, { order, deferred: context.deferred.keys() });
  if (range) return advanceRange(services, turn, run, context, range, signal);
  if (context.deferred.size === 0) return endRun(services, run);
  return endOrPutOff(services, run, context);
}

/** A grant that ended is a failure of the run; a decision that was made here is none. */
async function hindered(services: PullServices, run: OpenRun, blocker: PullBlocker): Promise<void> {
  const text = pullBlockerText(blocker, run.provider);
  switch (blocker) {
    case 'not_connected':
    case 'disabled':
    case 'unconfigured':
      return cancelRun(services, run, text);
    default:
      return endRun(services, run, { code: 'unauthorized', text });
  }
}

async function advanceRange(
  services: PullServices,
  turn: PullTurn,
  run: OpenRun,
  context: PullContext,
  range: RunRange,
  signal: AbortSignal,
): Promise<void> {
  const { adapter, mode, account } = context;
  const type = adapter.dataTypes.find(({ id }) => id === range.dataType);
  if (!type) {
    const unknown = { outcome: 'skipped', error: 'unknown_type', dataTypes: [range.dataType] } as const;
    return endOpenRanges(services.pool, run.runId, unknown);
  }
  const [newest] = adapter.windows(type.id, { startMs: range.fromMs, endMs: range.doneFromMs }, mode, account);
  const window = newest && newest.startMs < range.doneFromMs ? newest : undefined;
  try {
    const delivered = await deliveredPortions(services.pool, [context.connection, ...context.linked]);
    const { doneItem, items } = range;
    const read = window ? await readWindow(context, type, { ...window, doneItem, items }) : nothing(range);
    signal.throwIfAborted();
    const isNext = read.doneFromMs < range.doneFromMs || (read.doneItem !== undefined && read.doneItem !== doneItem);
    // A vendor that takes only ranges of nothing would be asked for ever.
    if (!isNext && range.fromMs < range.doneFromMs) {
      throw new VendorError({ code: 'invalid_answer', reason: 'range_too_short' });
    }
    await store(services, run, context, { type, range, ...read, delivered });
  } catch (error) {
    if (error instanceof VendorError) return handleVendorFailure(services, turn, run, { context, type }, error);
    throw error;
  }
}

/** What the window holds, and the part of it that was read: a vendor may refuse a range that is too long. */
async function readWindow(
  context: PullContext,
  type: PullDataType,
  window: ReadWindow,
): Promise<Pick<StoredWindow, 'reading' | 'doneFromMs' | 'doneItem'>> {
  const { adapter, api, mode, account, longestMs } = context;
  const read = async (part: ReadWindow) => {
    const reading = await withRoom(api, (counted) => adapter.read(counted, type.id, part, mode, account));
    return { reading, doneFromMs: reading.fromMs ?? part.startMs, doneItem: reading.fromItem };
  };
  const limit = longestMs.get(type.id);
  try {
    return await read(limit === undefined ? window : newestPart(window, limit));
  } catch (error) {
    const allowed = error instanceof VendorError && error.code === 'range_too_long' ? error.longestMs : undefined;
    if (allowed === undefined || allowed >= window.endMs - window.startMs || limit !== undefined) throw error;
    longestMs.set(type.id, allowed);
    return read(newestPart(window, allowed));
  }
}

function newestPart(window: ReadWindow, longestMs: number): ReadWindow {
  return { ...window, startMs: Math.max(window.startMs, window.endMs - longestMs) };
}

/** The adapter has no window for what is left of a range. */
function nothing({ fromMs }: RunRange): Pick<StoredWindow, 'reading' | 'doneFromMs' | 'doneItem'> {
  const rejections = new RejectionTally().report;
  const reading = { batch: batchOf([]), rejections, received: 0, noValue: 0, superseded: 0 };
  return { reading, doneFromMs: fromMs, doneItem: undefined };
}

/**
 * The other users of the account first: the run's own progress then says that all have it. Each is given what that person
 * consented to. Nothing moves on where the answer is outdated, so that the window is the next to be read again.
 */
async function store(services: PullServices, run: OpenRun, context: PullContext, window: StoredWindow): Promise<void> {
  const { connection } = context;
  for (const linked of context.linked) {
    if (!isGranted(window.type.scopes, linked.grantedScopes)) continue;
    const linkedRunId = await linkedRunOf(services, run, connection, linked);
    const result = await storeLinkedWindow(services, run, linkedRunId, linked, window);
    if (result === 'outdated') return readAgain(context, window.type);
  }
  const result = await storeWindow(services, run, connection, window, context);
  if (result === 'outdated') return readAgain(context, window.type);
  context.outdated.delete(window.type.id);
  if (result === 'gone') return cancelRun(services, run, 'The run or its connection was ended meanwhile.');
  if (connection.accountState === 'linked') return;
  await services.connections.markAccountState(connection, 'linked');
  await resumeNow(services.pool, connection.id, services.now());
  context.connection = { ...connection, accountState: 'linked' };
}

/** At once, unless deliveries come faster than the vendor answers: then when the other kinds of data are read. */
function readAgain({ outdated, deferred }: PullContext, { id }: PullDataType): void {
  const times = (outdated.get(id) ?? 0) + 1;
  outdated.set(id, times);
  if (times < OUTDATED_IN_A_ROW) return;
  outdated.delete(id);
  deferred.set(id, { waitMs: OUTDATED_WAIT_MS, limit: OUTDATED_LIMIT, code: 'delivered_meanwhile' });
}

async function handleVendorFailure(
  services: PullServices,
  turn: PullTurn,
  run: OpenRun,
  at: { context: PullContext; type: PullDataType } | undefined,
  error: VendorError,
): Promise<void> {
  const { pool, metrics, connections } = services;
  if (error.reason === 'account_changed') return turn.forget(run);
  if (error.reason === 'disconnected') return hindered(services, run, 'not_connected');
  const failure = pullFailureOf(error, run, Math.random());
  const connection =
    at?.context.connection ?? turn.connectionOf(run) ?? (await connections.findConnectionById(run.connectionId));
  if (failure.kind === 'queue') {
    const { limit } = failure;
    if (limit === undefined || !at) return queueForQuota(services, run, connection, failure, error.message);
    if (run.failures < limit) {
      await countFailure(pool, run.runId);
      return queueForQuota(services, run, connection, failure, error.message);
    }
    await resetFailures(pool, run.runId);
    return endOpenRanges(pool, run.runId, { outcome: 'failed', error: error.message, dataTypes: [at.type.id] });
  }
  if (connection) metrics.vendorFailed(connection.provider, error.code);
  if (connection && 'account' in failure && failure.account)
    await connections.markAccountState(connection, failure.account);
  const code = error.message;
  if (failure.kind === 'over') return endRun(services, run, { code, text: failure.text });
  if (failure.kind === 'later') {
    if (run.failures >= failure.limit) return endRun(services, run, { code, text: failure.text });
    if (at) await noteFailure(pool, run.runId, at.type.id, code);
    return reportPostponed(services, run, { ...failure, code }, failure.text);
  }
  if (!at) {
    const text = 'The vendor could not be asked about the account.';
    if (failure.kind !== 'later_type' || run.failures >= failure.limit) return endRun(services, run, { code, text });
    return reportPostponed(services, run, { ...failure, code }, text);
  }
  const dataTypes = [at.type.id];
  if (failure.kind === 'later_type') {
    at.context.deferred.set(at.type.id, { waitMs: failure.waitMs, limit: failure.limit, code });
    return noteFailure(pool, run.runId, at.type.id, code);
  }
  const outcome = failure.kind === 'skip_type' ? 'skipped' : 'failed';
  return endOpenRanges(pool, run.runId, {
    outcome,
    error: failure.kind === 'skip_type' ? 'scope_missing' : code,
    dataTypes,
  });
}

/** Puts a run into the line of those that wait for the application's quota. */
async function queueForQuota(
  services: PullServices,
  run: OpenRun,
  connection: Connection | undefined,
  { text, ...wait }: BudgetAnswer & { text: string },
  code: string,
): Promise<void> {
  if (!connection) return hindered(services, run, 'not_connected');
  const at = await waitForQuota(services, run, connection, wait);
  await reportNextTry(services, run, { reason: code, attempt: run.failures + 1, at }, text);
}

/** Only what the vendor did not give in this turn is left of the run. */
async function endOrPutOff(services: PullServices, run: OpenRun, context: PullContext): Promise<void> {
  const { pool } = services;
  const spent = [...context.deferred].filter(([, { limit }]) => run.failures >= limit).map(([dataType]) => dataType);
  for (const dataType of spent) await giveUpType(pool, run.runId, dataType);
  const waiting = [...context.deferred].flatMap(([dataType, one]) => (spent.includes(dataType) ? [] : [one]));
  context.deferred.clear();
  const longest = waiting.toSorted((a, b) => b.waitMs - a.waitMs)[0];
  if (!longest) return endRun(services, run);
  const [kinds, be] =
    waiting.length === 1 ? ['One kind of data', 'it is'] : [`${waiting.length} kinds of data`, 'they are'];
  const limit = Math.max(...waiting.map((one) => one.limit));
  return reportPostponed(services, run, { ...longest, limit }, `${kinds} could not be read yet; ${be} tried again.`);
}

/** Puts a run off, and says so in it and in the runs of other users that it feeds. */
async function reportPostponed(
  services: PullServices,
  run: OpenRun,
  { waitMs, limit, code }: DeferredType,
  message: string,
): Promise<void> {
  const at = new Date(services.now().getTime() + waitMs);
  await postpone(services.pool, run.runId, at);
  // The first attempt is none of those that were postponed.
  await reportNextTry(services, run, { reason: code, attempt: run.failures + 2, maxAttempts: limit + 1, at }, message);
}

async function reportNextTry(
  { pool, runs }: PullServices,
  run: OpenRun,
  nextTry: { reason: string; attempt: number; maxAttempts?: number; at: Date },
  message: string,
): Promise<void> {
  for (const { runId } of await openLinkedRuns(pool, run.runId)) {
    await runs.move(runId, 'started', { message, nextTry });
  }
  await runs.move(run.runId, 'started', { message, nextTry });
}
