import type pg from 'pg';
import { inTransaction } from '../../platform/database/index.js';
import { deleteProgress, endOpenRanges } from '../../runs/index.js';
import { endNotifications } from './end-notifications.js';
import { endOneRun, type RunFault } from './end-one-run.js';
import { openLinkedRuns } from './linked-runs.js';
import type { OpenRun } from './open-runs.js';
import type { PullServices } from './pull-services.js';

/**
 * Ends a run with one outcome for each kind of data, and with it the runs of other users that it fed. Those come first:
 * a process that is killed in between ends them again.
 */
export async function endRun(services: PullServices, run: OpenRun, fault?: RunFault): Promise<void> {
  const { pool, runs } = services;
  if (fault) await endOpenRanges(pool, run.runId, { outcome: 'failed', error: fault.code });
  const startedAt = await startOf(pool, run.runId);
  for (const linked of await openLinkedRuns(pool, run.runId)) await endOneRun(services, run, linked, startedAt, fault);
  const userKey = await userOf(pool, run.runId);
  if (userKey === undefined) return;
  await endOneRun(services, run, { runId: run.runId, connectionId: run.connectionId, userKey }, startedAt, fault);
  runs.announce(userKey);
}

/**
 * Ends a run that nothing may be read for any more: the person or the operator wants it so. The runs of other users that it
 * fed end first, as in {@link endRun}: after a crash in between, this run is found again and ends the rest.
 */
export async function cancelRun(
  { pool, runs, now }: PullServices,
  run: Pick<OpenRun, 'runId' | 'connectionId'>,
  text: string,
): Promise<void> {
  const outcome = { stage: 'cancelled', status: 'cancelled' } as const;
  for (const { runId, userKey } of await openLinkedRuns(pool, run.runId)) {
    await inTransaction(pool, async (client) => {
      await runs.finishIn(client, runId, outcome, { message: text });
      await deleteProgress(client, runId);
    });
    runs.announce(userKey);
  }
  const userKey = await userOf(pool, run.runId);
  if (userKey === undefined) return;
  await inTransaction(pool, async (client) => {
    await runs.finishIn(client, run.runId, outcome, { message: text });
    await endNotifications(client, run, now());
    await client.query('delete from pull_run where run_id = $1', [run.runId]);
    await deleteProgress(client, run.runId);
  });
  runs.announce(userKey);
}

async function startOf(pool: pg.Pool, runId: string): Promise<Date> {
  const { rows } = await pool.query<{ started_at: Date | null; created_at: Date }>(
    'select started_at, created_at from sync_run where run_id = $1',
    [runId],
  );
  return rows[0]?.started_at ?? rows[0]?.created_at ?? new Date();
}

async function userOf(pool: pg.Pool, runId: string): Promise<number | undefined> {
  const { rows } = await pool.query<{ user_key: number }>('select user_key from sync_run where run_id = $1', [runId]);
  return rows[0]?.user_key;
}
