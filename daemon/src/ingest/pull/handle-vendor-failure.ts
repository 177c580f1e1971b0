import type { BudgetAnswer, PullDataType, VendorError } from '@healthd/providers';
import { type Connection, type PullBlocker, pullBlockerText } from '../../connections/index.js';
import { endOpenRanges, noteFailure } from '../../runs/index.js';
import { cancelRun, endRun } from './end-run.js';
import { countFailure, type OpenRun, resetFailures } from './open-runs.js';
import { reportNextTry, reportPostponed } from './postpone-run.js';
import type { PullContext } from './pull-context.js';
import type { PullServices } from './pull-services.js';
import type { PullTurn } from './pull-turn.js';
import { waitForQuota } from './quota-line.js';
import { pullFailureOf, withStatus } from './vendor-failure.js';

/** A grant that ended is a failure of the run; a decision that was made here is none. */
export async function hindered(services: PullServices, run: OpenRun, blocker: PullBlocker): Promise<void> {
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

/** Ends a run, puts it off, or leaves one kind of data out, by what failed at the vendor. */
export async function handleVendorFailure(
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
    const text = withStatus('The vendor could not be asked about the account.', error);
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
    // A product that the operator lacks is not the person's refusal.
    error: failure.kind === 'skip_type' && error.reason !== 'not_subscribed' ? 'scope_missing' : code,
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
