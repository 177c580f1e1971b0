import { OWN_QUOTA_WAIT } from '@healthd/providers';
import type pg from 'pg';
import { recordConnectionFailure, recordConnectionSuccess } from '../connections/index.js';
import { addEvent, storeLastSync } from '../feed/index.js';
import { lockUserIfExists, statement } from '../platform/database/index.js';
import { appendSyncEvent } from './events/sync-event.js';
import { RUN_COLUMNS, type RunRow, summaryOf } from './run-row.js';
import { isFinal, mayMove, type RunOutcome } from './run-states.js';
import type { OpenStage, RunStep, StepResult } from './sync-runs.js';

/** A step with the run's new stage and status. */
export type RunChange = { step: RunStep } & (RunOutcome | { stage: OpenStage; status: 'in_progress' });

/**
 * Locks the run's user. The user is always locked before the run's row, which prevents deadlocks.
 * Events get their numbers only under this lock. Otherwise a lower number could be committed after a higher number, and
 * a reader that remembers its position would miss the lower number.
 */
export async function lockUserOf(client: pg.ClientBase, runId: string): Promise<void> {
  await lockUserIfExists(client, { ownerOf: 'sync_run where run_id = $1', value: runId });
}

/** Updates a run. Uses the clock instead of now(), because the transaction may have been storing data for minutes. */
const updateRun = statement(
  'run-update',
  `with clock as materialized (select clock_timestamp() as at)
   update sync_run r set stage = $2, status = $3, message = coalesce($4, r.message), progress = coalesce($5, r.progress),
     items_processed = coalesce($6, r.items_processed), error = $7, metadata = r.metadata || $8::jsonb,
     started_at = case when $9 then coalesce(r.started_at, clock.at) else r.started_at end,
     ended_at = case when $10 then clock.at end, updated_at = clock.at,
     retry_reason = $11, retry_attempt = $12, retry_max_attempts = $13, next_try_at = $14
   from clock, health_user u where r.run_id = $1 and u.user_key = r.user_key returning ${RUN_COLUMNS}`,
);

const lockRun = statement(
  'run-lock',
  `select ${RUN_COLUMNS} from sync_run r join health_user u using (user_key) where r.run_id = $1 for update of r`,
);

/** Records a run's step in the caller's transaction: its row, its event, and its effect on the connection. */
export async function recordStep(
  client: pg.ClientBase,
  runId: string,
  change: RunChange,
): Promise<{ result: StepResult; userKey?: number }> {
  await lockUserOf(client, runId);
  const before = await lockedRun(client, runId);
  if (!before) return { result: 'gone' };
  if (!mayMove(before.stage, change.stage)) return { result: 'refused' };
  const { step } = change;
  const { rows } = await client.query<RunRow>(
    updateRun([
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
    ]),
  );
  const [after] = rows;
  if (after) {
    await appendEvent(client, after);
    addFeedEvent(client, after);
    await recordConnectionOutcome(client, after);
    await recordLastSync(client, after);
  }
  return { result: 'recorded', userKey: before.user_key };
}

/** Returns a run's row, locked; undefined if it was deleted. */
export async function lockedRun(client: pg.ClientBase, runId: string): Promise<RunRow | undefined> {
  return (await client.query<RunRow>(lockRun([runId]))).rows[0];
}

/** Appends an event with the run's current state. */
export async function appendEvent(client: pg.ClientBase, row: RunRow): Promise<void> {
  const { last_update: _, ...event } = summaryOf(row);
  // Omits the start from a final event, as the compatible API does. The run's summary contains it.
  const startedAt = isFinal(row.stage) ? null : event.started_at;
  await appendSyncEvent(client, row.user_key, { ...event, started_at: startedAt, metadata: row.metadata });
}

/** Reports the start and the end of a run to applications. */
function addFeedEvent(
  client: pg.ClientBase,
  { user_key: userKey, run_id, provider, source, stage, status }: RunRow,
): void {
  if (stage !== 'started' && !isFinal(stage)) return;
  addEvent(client, { userKey, kind: 'run', body: { action: stage, run_id, provider, source, status } });
}

/**
 * Applies a run's step to its connection, in the step's transaction. Ignores file imports: an invalid file does not
 * mean that the phone's connection fails.
 */
async function recordConnectionOutcome(client: pg.ClientBase, run: RunRow): Promise<void> {
  if (run.source === 'xml_import') return;
  const failure = failureOf(run);
  if (failure !== undefined) await recordConnectionFailure(client, run, failure, run.updated_at);
  else if (['success', 'partial', 'skipped'].includes(run.status)) await recordConnectionSuccess(client, run);
}

/**
 * Returns the failure to record for the connection. A partial device batch is not a failure: it was stored, and the
 * run's report lists its invalid items. Waiting for the service's own quota is not a failure either.
 */
function failureOf({
  status,
  source,
  error,
  message,
  next_try_at: nextTryAt,
  retry_reason: reason,
}: RunRow): string | undefined {
  const isRetried = nextTryAt !== null && reason !== OWN_QUOTA_WAIT;
  const isFailure = status === 'failed' || isRetried || (status === 'partial' && source !== 'sdk');
  return isFailure ? (error ?? message ?? 'The run failed.') : undefined;
}

/**
 * Records the time of a user's last new data, in the transaction of a run's final step, which holds the user's lock. The
 * user list can be sorted by it. Ignores runs without data. Ignores backfills, because they bring no new data.
 */
async function recordLastSync(client: pg.ClientBase, run: RunRow): Promise<void> {
  if (run.ended_at === null || (run.status !== 'success' && run.status !== 'partial')) return;
  if (run.source === 'backfill') return;
  await storeLastSync(client, run.user_key, { at: run.ended_at, provider: run.provider });
}
