import { randomBytes } from 'node:crypto';
import type { SyncSource, SyncStage } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type pg from 'pg';
import { inTransaction, lockUserIfExists } from '../platform/database/index.js';
import { noteConnectionOutcome } from './connection-outcome.js';
import { appendSyncEvent } from './events/sync-event.js';
import type { SyncNotifier } from './events/sync-notifier.js';
import { noteLastSync } from './last-sync.js';
import { RUN_COLUMNS, type RunRow, summaryOf } from './run-row.js';
import { isFinal, mayMove, type RunOutcome } from './run-states.js';

/** What a run is about when it is queued. */
export interface NewRun {
  runId: string;
  userKey: number;
  provider: ProviderId;
  source: SyncSource;
  message?: string;
  metadata?: Record<string, unknown>;
  /** The user whose run fetches the data of this one. */
  primaryUserId?: string;
}

/** The attempt that a run waits for. */
interface NextTry {
  /** Code of what made it necessary. */
  reason: string;
  /** Number of the attempt to come; 1 was the first. */
  attempt: number;
  /** After this many the run ends; undefined where there is no such limit. */
  maxAttempts?: number;
  at: Date;
}

/** What a step says besides its stage; members left out stay as they were, metadata is merged. */
export interface RunStep {
  message?: string;
  /** Left out: the run waits for nothing, or no longer. */
  nextTry?: NextTry;
  /** 0 to 1. */
  progress?: number;
  itemsProcessed?: number;
  metadata?: Record<string, unknown>;
}

/** Whether a step was recorded; `gone`: the run or its user was deleted; `refused`: the run has ended already. */
export type StepResult = 'recorded' | 'refused' | 'gone';

/** Stages between the queue and the end. */
type OpenStage = Exclude<SyncStage, 'queued' | RunOutcome['stage']>;

/** Records what runs do. Each step is one row of sync_run and one event, in one transaction. */
export interface SyncRuns {
  /** Queues a run inside the caller's transaction, which must hold the user's row. Call `announce` after the commit. */
  queue(client: pg.ClientBase, run: NewRun): Promise<void>;
  announce(userKey: number): void;
  /** Says that a run is queued where that was left out, inside the caller's transaction. */
  reportQueuedIn(client: pg.ClientBase, runId: string): Promise<void>;
  move(runId: string, stage: OpenStage, step?: RunStep): Promise<StepResult>;
  /** As `move` in the caller's transaction. Call `announce` after the commit. */
  moveIn(client: pg.ClientBase, runId: string, stage: OpenStage, step?: RunStep): Promise<StepResult>;
  finish(runId: string, outcome: RunOutcome, step?: RunStep): Promise<StepResult>;
  /** As `finish` in the caller's transaction. Call `announce` after the commit. */
  finishIn(client: pg.ClientBase, runId: string, outcome: RunOutcome, step?: RunStep): Promise<StepResult>;
}

/** What the contract calls a run that reads a file that a user handed over, of whichever provider. */
export const FILE_RUN = { source: 'xml_import', idPrefix: 'xml' } as const;

/** A run id as clients know it: prefix and 16 hexadecimal digits. */
export function newRunId(prefix: typeof FILE_RUN.idPrefix | 'pull' | 'wh' | 'run' | `${ProviderId}_backfill`): string {
  return `${prefix}_${randomBytes(8).toString('hex')}`;
}

export function createSyncRuns(pool: pg.Pool, notifier: SyncNotifier): SyncRuns {
  const record = async (runId: string, change: Change): Promise<StepResult> => {
    const { result, userKey } = await inTransaction(pool, (client) => recordStep(client, runId, change));
    if (userKey !== undefined) notifier.changed(userKey);
    return result;
  };
  return {
    queue: queueRun,
    announce: (userKey) => notifier.changed(userKey),
    async reportQueuedIn(client, runId) {
      await lockUserOf(client, runId);
      const row = await lockedRun(client, runId);
      if (row?.stage === 'queued') await appendEvent(client, row);
    },
    moveIn: async (client, runId, stage, step = {}) =>
      (await recordStep(client, runId, { stage, status: 'in_progress', step })).result,
    finishIn: async (client, runId, outcome, step = {}) =>
      (await recordStep(client, runId, { ...outcome, step })).result,
    move: (runId, stage, step = {}) => record(runId, { stage, status: 'in_progress', step }),
    finish: (runId, outcome, step = {}) => record(runId, { ...outcome, step }),
  };
}

type Change = { step: RunStep } & (RunOutcome | { stage: OpenStage; status: 'in_progress' });

async function queueRun(client: pg.ClientBase, run: NewRun): Promise<void> {
  await client.query(
    `insert into sync_run (run_id, user_key, provider, source, stage, status, message, metadata, primary_user_id)
     values ($1, $2, $3, $4, 'queued', 'in_progress', $5, $6, $7)`,
    [
      run.runId,
      run.userKey,
      run.provider,
      run.source,
      run.message ?? null,
      JSON.stringify(run.metadata ?? {}),
      run.primaryUserId ?? null,
    ],
  );
  const row = await lockedRun(client, run.runId);
  if (row) await appendEvent(client, row);
}

/**
 * Locks the row of the run's user: the user's row first, then the run's, the same order everywhere, so that no two steps
 * wait for each other. Events are numbered under this lock only: a number given without it could be committed after a
 * higher one, and a reader that remembers how far it came would never see it.
 */
async function lockUserOf(client: pg.ClientBase, runId: string): Promise<void> {
  await lockUserIfExists(client, { ownerOf: 'sync_run where run_id = $1', value: runId });
}

async function recordStep(
  client: pg.ClientBase,
  runId: string,
  change: Change,
): Promise<{ result: StepResult; userKey?: number }> {
  await lockUserOf(client, runId);
  const before = await lockedRun(client, runId);
  if (!before) return { result: 'gone' };
  if (!mayMove(before.stage, change.stage)) return { result: 'refused' };
  const { step } = change;
  await client.query(
    `update sync_run set stage = $2, status = $3, message = coalesce($4, message), progress = coalesce($5, progress),
       items_processed = coalesce($6, items_processed), error = $7, metadata = metadata || $8::jsonb,
       started_at = case when $9 then coalesce(started_at, now()) else started_at end,
       ended_at = case when $10 then now() end, updated_at = now(),
       retry_reason = $11, retry_attempt = $12, retry_max_attempts = $13, next_try_at = $14
     where run_id = $1`,
    [
      runId,
      change.stage,
      change.status,
      step.message ?? null,
      change.stage === 'completed' ? 1 : (step.progress ?? null),
      step.itemsProcessed ?? null,
      change.stage === 'failed' ? change.error : null,
      JSON.stringify(step.metadata ?? {}),
      change.stage === 'started',
      isFinal(change.stage),
      step.nextTry?.reason ?? null,
      step.nextTry?.attempt ?? null,
      step.nextTry?.maxAttempts ?? null,
      step.nextTry?.at ?? null,
    ],
  );
  const after = await lockedRun(client, runId);
  if (after) {
    await appendEvent(client, after);
    await noteConnectionOutcome(client, after);
    await noteLastSync(client, after);
  }
  return { result: 'recorded', userKey: before.user_key };
}

async function lockedRun(client: pg.ClientBase, runId: string): Promise<RunRow | undefined> {
  const { rows } = await client.query<RunRow>(
    `select ${RUN_COLUMNS} from sync_run r join health_user u using (user_key) where r.run_id = $1 for update of r`,
    [runId],
  );
  return rows[0];
}

async function appendEvent(client: pg.ClientBase, row: RunRow): Promise<void> {
  const { last_update: _, ...event } = summaryOf(row);
  // Known shape: a final event carries its end only; the summary knows the start.
  const startedAt = isFinal(row.stage) ? null : event.started_at;
  await appendSyncEvent(client, row.user_key, { ...event, started_at: startedAt, metadata: row.metadata });
}
