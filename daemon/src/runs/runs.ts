import { randomBytes } from 'node:crypto';
import type { ProviderId } from '@healthd/model';
import type pg from 'pg';
import { inTransaction } from '../platform/database/index.js';
import type { SyncNotifier } from './events/sync-notifier.js';
import { appendEvent, lockedRun, lockUserOf, type RunChange, recordStep } from './record-step.js';
import type { NewRun, StepResult, SyncRuns } from './sync-runs.js';

/** Source and ID prefix of a run that imports a file, for any provider. */
export const FILE_RUN = { source: 'xml_import', idPrefix: 'xml' } as const;

/** Creates a public run ID: prefix and 16 hexadecimal digits. */
export function newRunId(prefix: typeof FILE_RUN.idPrefix | 'pull' | 'wh' | 'run' | `${ProviderId}_backfill`): string {
  return `${prefix}_${randomBytes(8).toString('hex')}`;
}

export function createSyncRuns(pool: pg.Pool, notifier: SyncNotifier): SyncRuns {
  const record = async (runId: string, change: RunChange): Promise<StepResult> => {
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

/** Queues a run with its first event in the caller's transaction, which must hold the user's row. */
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
