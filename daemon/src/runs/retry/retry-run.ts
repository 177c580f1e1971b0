import type { SyncSource } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type pg from 'pg';
import { inTransaction, lockUserIfExists } from '../../platform/database/index.js';
import { Failure } from '../../platform/failures.js';
import { findRunRow } from '../run-queries.js';
import type { RunRow } from '../run-row.js';
import type { SyncRuns } from '../sync-runs.js';

/** An ended run to retry. */
export interface EndedRun {
  runId: string;
  userKey: number;
  provider: ProviderId;
  source: SyncSource;
  createdAt: Date;
  metadata: Readonly<Record<string, unknown>>;
}

/** A queued run that repeats another run. */
export interface QueuedRetry {
  runId: string;
  /** Enqueues the run's job. Call after the commit. If enqueuing fails, a sweeper enqueues the job later. */
  enqueue(): Promise<unknown>;
}

/**
 * Retries a run of one source. First does all work that must happen outside a transaction. The returned function then
 * queues the new run with {@link retryMetadata}, in a transaction that holds the user's lock.
 * @throws Failure `conflict` if the run cannot be retried now, `gone` if its input was deleted
 */
export type RunRetrier = (run: EndedRun) => Promise<(client: pg.ClientBase) => Promise<QueuedRetry>>;

/** Returns the retrier of each source. */
export function retriersOf(retriers: {
  pull: RunRetrier;
  webhook: RunRetrier;
  importFile: RunRetrier;
  deviceBatch: RunRetrier;
}): RetryServices['retriers'] {
  const { pull, webhook, importFile, deviceBatch } = retriers;
  return {
    pull,
    webhook,
    backfill: pull,
    linked_account: pull,
    xml_import: importFile,
    sdk: deviceBatch,
  };
}

export interface RetryServices {
  pool: pg.Pool;
  runs: Pick<SyncRuns, 'announce'>;
  retriers: Readonly<Record<SyncSource, RunRetrier>>;
}

export interface RetriedRun {
  runId: string;
  /** False if the run is already being retried. */
  isNew: boolean;
}

/** Returns the metadata of a run that retries another run. */
export function retryMetadata({ runId }: Pick<EndedRun, 'runId'>): { retry_of: string } {
  return { retry_of: runId };
}

/**
 * Retries a failed or partial run in a new run, because an ended run never changes. Each run can be retried once. If
 * the new run fails too, retry the new run.
 * @throws Failure `not_found`, `conflict`, `gone`
 */
export async function retryRun({ pool, runs, retriers }: RetryServices, runId: string): Promise<RetriedRun> {
  const row = await findRunRow(pool, runId);
  if (!row) throw unknownRun(runId);
  const { user_key: userKey, source } = row;
  const open = await openRetryOf(pool, runId);
  if (open !== undefined) return { runId: open, isNew: false };
  rejectUnlessIncomplete(row);
  const { created_at: createdAt, metadata } = row;
  const ended: EndedRun = { runId, userKey, source, createdAt, metadata, provider: row.provider as ProviderId };
  const queueIn = await retriers[source](ended).catch(async (error: unknown) => {
    // Another request may have claimed the input and started a retry.
    const existing = await openRetryOf(pool, runId);
    if (existing === undefined) throw error;
    return existing;
  });
  if (typeof queueIn === 'string') return { runId: queueIn, isNew: false };
  const queued = await inTransaction(pool, async (client) => {
    if (!(await lockUserIfExists(client, { userKey }))) throw unknownRun(runId);
    const concurrent = await openRetryOf(client, runId);
    return concurrent ?? (await queueIn(client));
  });
  if (typeof queued === 'string') return { runId: queued, isNew: false };
  runs.announce(userKey);
  await queued.enqueue();
  return { runId: queued.runId, isNew: true };
}

/** Returns the open run that retries this run. @throws Failure `conflict` if that run has ended */
async function openRetryOf(client: pg.Pool | pg.ClientBase, runId: string): Promise<string | undefined> {
  const { rows } = await client.query<{ run_id: string; ended: boolean }>(
    `select run_id, ended_at is not null as ended from sync_run
      where metadata ->> 'retry_of' = $1 and metadata ? 'retry_of' order by created_at desc limit 1`,
    [runId],
  );
  const retry = rows[0];
  if (retry?.ended) throw conflict(`The run was already retried by run ${retry.run_id}.`);
  return retry?.run_id;
}

function rejectUnlessIncomplete({ status }: RunRow): void {
  if (status === 'failed' || status === 'partial') return;
  if (status === 'in_progress') throw conflict('The run has not ended yet.');
  if (status === 'cancelled') throw conflict('The run was cancelled; a cancelled run cannot be retried.');
  throw conflict('The run succeeded; there is nothing to retry.');
}

function unknownRun(runId: string): Failure {
  return new Failure('not_found', `Sync run with ID: ${runId} not found.`);
}

function conflict(message: string): Failure {
  return new Failure('conflict', message);
}
