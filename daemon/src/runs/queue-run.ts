import type pg from 'pg';
import { appendEvent, lockedRun } from './record-step.js';
import type { NewRun } from './sync-runs.js';

/** Queues a run with its first event in the caller's transaction, which must hold the user's row. */
export async function queueRun(client: pg.ClientBase, run: NewRun): Promise<void> {
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
