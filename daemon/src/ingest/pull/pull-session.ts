import { MS_PER_MINUTE } from '@healthd/model';
import { type BudgetResponse, type PullDataType, VendorError } from '@healthd/providers';
import {
  type Connection,
  connectionFault,
  isGranted,
  type PullBlocker,
  pullBlockerText,
} from '../../connections/index.js';
import { endOpenRanges, giveUpType, nextRange, recordFailure, type RunRange } from '../../runs/index.js';
import { loadFallbackZone } from '../../store/facts/index.js';
import { DecideLimitError } from '../../store/write/index.js';
import { cancelRun, endRun } from './end-run.js';
import type { StoredWindow } from './guarded-window.js';
import { linkedRunOf, openLinkedRuns } from './linked-runs.js';
import { countFailure, type DeliveredChunks, type OpenRun, postpone, resetFailures, resumeNow } from './open-runs.js';
import { planRun } from './plan-run.js';
import { type DeferredType, type PullContext, priorityOf } from './pull-context.js';
import type { PullServices } from './pull-services.js';
import { waitForQuota } from './quota-line.js';
import { emptyWindow, readWindow } from './read-window.js';
import { storeLinkedWindow, storeWindow } from './store-window.js';
import { pullFailureOf, withStatus } from './vendor-failure.js';

/**
 * Maximum number of consecutive outdated responses. A delivery that arrives during a request makes the request's
 * response outdated. Such a request wastes quota, and quotas are small.
 */
const OUTDATED_IN_A_ROW = 3;
const OUTDATED_WAIT_MS = 5 * MS_PER_MINUTE;
const OUTDATED_LIMIT = 12;

/**
 * One turn of a connection's job. Processes the runs of one vendor account window by window and caches the state of
 * each run.
 */
export class PullSession {
  private readonly contexts = new Map<string, PullContext>();
  private readonly connections = new Map<string, Connection>();

  constructor(
    private readonly services: PullServices,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Reads and stores the next window of a run, or ends or postpones the run.
   * @param delivered delivery chunks that were stored before this call
   */
  async advance(run: OpenRun, delivered: DeliveredChunks): Promise<void> {
    let context: PullContext | PullBlocker;
    const isFirst = !this.contexts.has(run.runId);
    try {
      context = await this.contextOf(run);
    } catch (error) {
      if (error instanceof VendorError) return this.handleFailure(run, undefined, error);
      throw error;
    }
    if (typeof context === 'string') return this.endBlocked(run, context);
    // The account's other users became known during this call. Their stored chunks are counted before the next one.
    if (isFirst && context.linked.some(({ id }) => !(id in delivered))) return;
    if (run.isNew) await planRun(this.services, run, context);

    const order = context.adapter.dataTypes.map(({ id }) => id);
    const range = await nextRange(this.services.pool, run.runId, { order, deferred: context.deferred.keys() });
    if (range) return this.readNextWindow(run, context, range, delivered);
    if (context.deferred.size === 0) return endRun(this.services, run);
    return this.endOrPostpone(run, context);
  }

  /** Reads and stores the newest unstored window of a range. */
  private async readNextWindow(
    run: OpenRun,
    context: PullContext,
    range: RunRange,
    delivered: DeliveredChunks,
  ): Promise<void> {
    const { pool } = this.services;
    const { adapter, mode, account } = context;
    const type = adapter.dataTypes.find(({ id }) => id === range.dataType);
    if (!type) {
      const unknown = { outcome: 'skipped', error: 'unknown_type', dataTypes: [range.dataType] } as const;
      return endOpenRanges(pool, run.runId, unknown);
    }
    const [newest] = adapter.windows(type.id, { startMs: range.fromMs, endMs: range.doneFromMs }, mode, account);
    const window = newest && newest.startMs < range.doneFromMs ? newest : undefined;
    try {
      const { doneItem, items } = range;
      const read = window ? await readWindow(context, type, { ...window, doneItem, items }) : emptyWindow(range);
      this.signal.throwIfAborted();
      const isNext = read.doneFromMs < range.doneFromMs || (read.doneItem !== undefined && read.doneItem !== doneItem);
      // Prevents an endless loop if a vendor accepts only empty ranges.
      if (!isNext && range.fromMs < range.doneFromMs) {
        throw new VendorError({ code: 'invalid_answer', reason: 'range_too_short' });
      }
      await this.store(run, context, { type, range, ...read, delivered });
    } catch (error) {
      if (error instanceof VendorError) return this.handleFailure(run, { context, type }, error);
      if (!(error instanceof DecideLimitError)) throw error;
      return endOpenRanges(pool, run.runId, { outcome: 'failed', error: error.code, dataTypes: [type.id] });
    }
  }

  /**
   * Stores a window for the other users of the account first, so that the run's own progress implies that all users
   * have the window. Each user receives only the data types that they consented to. Progress does not move if the
   * response is outdated, so the window is read again.
   */
  private async store(run: OpenRun, context: PullContext, window: StoredWindow): Promise<void> {
    const { services } = this;
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
    if (result === 'gone') return cancelRun(services, run, 'The run or its connection ended during the request.');
    if (connection.accountState === 'linked') return;
    await services.connections.markAccountState(connection, 'linked');
    await resumeNow(services.pool, connection.id, services.now());
    context.connection = { ...connection, accountState: 'linked' };
  }

  /** Fails the run if the grant has ended. Cancels it if the connection or provider was turned off here. */
  private async endBlocked(run: OpenRun, blocker: PullBlocker): Promise<void> {
    const text = pullBlockerText(blocker, run.provider);
    switch (blocker) {
      case 'not_connected':
      case 'disabled':
      case 'unconfigured':
        return cancelRun(this.services, run, text);
      default:
        return endRun(this.services, run, { code: 'unauthorized', text });
    }
  }

  /** Ends a run, postpones it, or skips one data type, depending on the vendor's failure. */
  private async handleFailure(
    run: OpenRun,
    at: { context: PullContext; type: PullDataType } | undefined,
    error: VendorError,
  ): Promise<void> {
    const { services } = this;
    const { pool, metrics, connections } = services;
    if (error.reason === 'account_changed') return this.forget(run);
    if (error.reason === 'disconnected') return this.endBlocked(run, 'not_connected');
    const failure = pullFailureOf(error, run, Math.random());
    const connection =
      at?.context.connection ??
      this.connections.get(run.runId) ??
      (await connections.findConnectionById(run.connectionId));
    if (failure.kind === 'queue') {
      const { limit } = failure;
      if (limit === undefined || !at) return this.queueForQuota(run, connection, failure, error.message);
      if (run.failures < limit) {
        await countFailure(pool, run.runId);
        return this.queueForQuota(run, connection, failure, error.message);
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
      if (at) await recordFailure(pool, run.runId, at.type.id, code);
      return this.postpone(run, { ...failure, code }, failure.text);
    }
    if (!at) {
      const text = withStatus('Cannot read the account from the vendor.', error);
      if (failure.kind !== 'later_type' || run.failures >= failure.limit) return endRun(services, run, { code, text });
      return this.postpone(run, { ...failure, code }, text);
    }
    const dataTypes = [at.type.id];
    if (failure.kind === 'later_type') {
      at.context.deferred.set(at.type.id, { waitMs: failure.waitMs, limit: failure.limit, code });
      return recordFailure(pool, run.runId, at.type.id, code);
    }
    const outcome = failure.kind === 'skip_type' ? 'skipped' : 'failed';
    return endOpenRanges(pool, run.runId, {
      outcome,
      // A product that the operator did not subscribe to is not a missing consent.
      error: failure.kind === 'skip_type' && error.reason !== 'not_subscribed' ? 'scope_missing' : code,
      dataTypes,
    });
  }

  /** Delays a run until the application's quota has capacity. */
  private async queueForQuota(
    run: OpenRun,
    connection: Connection | undefined,
    { text, ...wait }: BudgetResponse & { text: string },
    code: string,
  ): Promise<void> {
    if (!connection) return this.endBlocked(run, 'not_connected');
    const at = await waitForQuota(this.services, run, connection, wait);
    await this.reportNextTry(run, { reason: code, attempt: run.failures + 1, at }, text);
  }

  /**
   * Ends or postpones a run. Call when only deferred data types remain, which the vendor did not return in this turn.
   */
  private async endOrPostpone(run: OpenRun, context: PullContext): Promise<void> {
    const { pool } = this.services;
    const spent = [...context.deferred].filter(([, { limit }]) => run.failures >= limit).map(([dataType]) => dataType);
    for (const dataType of spent) await giveUpType(pool, run.runId, dataType);
    const waiting = [...context.deferred].flatMap(([dataType, one]) => (spent.includes(dataType) ? [] : [one]));
    context.deferred.clear();
    const longest = waiting.toSorted((a, b) => b.waitMs - a.waitMs)[0];
    if (!longest) return endRun(this.services, run);
    const [kinds, be] =
      waiting.length === 1 ? ['One data type', 'it is'] : [`${waiting.length} data types`, 'they are'];
    const limit = Math.max(...waiting.map((one) => one.limit));
    return this.postpone(run, { ...longest, limit }, `${kinds} could not be read yet; ${be} retried.`);
  }

  /** Postpones a run. Reports the delay in this run and in the other users' runs that it feeds. */
  private async postpone(run: OpenRun, { waitMs, limit, code }: DeferredType, message: string): Promise<void> {
    const at = new Date(this.services.now().getTime() + waitMs);
    await postpone(this.services.pool, run.runId, at);
    // Adds two: one for this postponement, and one for the first attempt, which followed no postponement.
    await this.reportNextTry(run, { reason: code, attempt: run.failures + 2, maxAttempts: limit + 1, at }, message);
  }

  /** Reports the next attempt in a run and in the other users' runs that it feeds. */
  private async reportNextTry(
    run: OpenRun,
    nextTry: { reason: string; attempt: number; maxAttempts?: number; at: Date },
    message: string,
  ): Promise<void> {
    const { pool, runs } = this.services;
    for (const { runId } of await openLinkedRuns(pool, run.runId)) {
      await runs.move(runId, 'started', { message, nextTry });
    }
    await runs.move(run.runId, 'started', { message, nextTry });
  }

  /** @throws VendorError if the vendor does not identify the account */
  private async contextOf(run: OpenRun): Promise<PullContext | PullBlocker> {
    const known = this.contexts.get(run.runId);
    if (known) return known;
    const found = await this.find(run);
    if (typeof found !== 'string') this.contexts.set(run.runId, found);
    return found;
  }

  /** Drops the cached state of a run. Call if another vendor account was connected during the turn. */
  private forget({ runId }: OpenRun): void {
    this.contexts.delete(runId);
    this.connections.delete(runId);
  }

  private async find({
    runId,
    connectionId,
    kind,
  }: Pick<OpenRun, 'runId' | 'connectionId' | 'kind'>): Promise<PullContext | PullBlocker> {
    const { connections, pool } = this.services;
    const stored = await connections.findConnectionById(connectionId);
    const fault = connectionFault(stored);
    if (!stored || fault) return fault ?? 'not_connected';
    const configured = connections.configurationOf(stored.provider);
    const adapter = configured?.cloud.pull;
    if (!configured || !adapter) return 'unconfigured';
    const use = await connections.settingOf(stored.provider);
    if (!use.isEnabled) return 'disabled';
    const connection = stored.providerUserId === undefined ? await connections.ensureIdentity(stored) : stored;
    this.connections.set(runId, connection);
    const api = connections.vendorApiOf(connection, this.signal, priorityOf(kind, connection));
    const account = await adapter.account(api, connection.grantedScopes);
    const userTimeZone = await loadFallbackZone(pool, connection.userKey);
    const linked = await this.linkedWith(connection);
    if (account.timeZone !== undefined) {
      for (const one of [connection, ...linked]) await connections.storeTimeZone(one, account.timeZone);
    }
    return {
      connection,
      adapter,
      api,
      use,
      account: { ...account, ...(userTimeZone !== undefined && { userTimeZone }) },
      mode: { granularity: use.granularity, configuration: configured.configuration },
      linked,
      deferred: new Map(),
      outdated: new Map(),
      longestMs: new Map(),
      reportedAtMs: Number.NEGATIVE_INFINITY,
    };
  }

  private async linkedWith({ id, provider, providerUserId }: Connection): Promise<Connection[]> {
    if (providerUserId === undefined) return [];
    const all = await this.services.connections.connectionsOfVendorAccount(provider, providerUserId);
    return all.filter((other) => other.id !== id);
  }
}

/**
 * Counts an outdated response; the window is read again immediately. If deliveries arrive faster than the vendor
 * responds, defers the type until the other types are read.
 */
function readAgain({ outdated, deferred }: PullContext, { id }: PullDataType): void {
  const times = (outdated.get(id) ?? 0) + 1;
  outdated.set(id, times);
  if (times < OUTDATED_IN_A_ROW) return;
  outdated.delete(id);
  deferred.set(id, { waitMs: OUTDATED_WAIT_MS, limit: OUTDATED_LIMIT, code: 'delivered_meanwhile' });
}
