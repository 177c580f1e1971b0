import type pg from 'pg';
import { recordOutcomes } from '../../connections/index.js';
import { inTransaction, lockUserIfExists } from '../../platform/database/index.js';
import { deleteProgress, endOf, endOpenRanges, type RunOutcome, readReports } from '../../runs/index.js';
import { openLinkedRuns } from './linked-runs.js';
import { followsCursors, type OpenRun } from './open-runs.js';
import type { PullServices } from './pull-services.js';

/** Reason why a run ends before everything was read. */
interface RunFault {
  /** Code for the data types that are still open. */
  code: string;
  /** Message for users. */
  text: string;
}

interface EndedRun {
  runId: string;
  userKey: number;
  connectionId: string;
}

/**
 * Ends a run with one outcome per data type, and ends the other users' runs that it fed. Ends the fed runs first. After
 * a crash in between, the service finds this run again and ends the remaining runs.
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
 * Cancels a run because the user or the operator stopped it. Before that, ends the other users' runs that it fed, for
 * the same reason as in {@link endRun}.
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

/** Ends one run: the run that read, or another user's run that it fed. */
async function endOneRun(
  { pool, runs, connections, metrics, now }: PullServices,
  run: OpenRun,
  { runId, userKey, connectionId }: EndedRun,
  startedAt: Date,
  fault: RunFault | undefined,
): Promise<void> {
  const isPrimary = runId === run.runId;
  let ended: { outcome: RunOutcome; provider: string; source: string } | undefined;
  await inTransaction(pool, async (client) => {
    await lockUserIfExists(client, { userKey });
    const { rows } = await client.query<{ provider: Parameters<typeof endOf>[0]; source: string }>(
      'select provider, source from sync_run where run_id = $1',
      [runId],
    );
    const row = rows[0];
    if (!row) return;
    if (!isPrimary) await endOpenRanges(client, runId, { outcome: 'failed', error: fault?.code ?? 'not_read' });
    const reports = await readReports(client, runId, { isOpen: false });
    const { outcome, step } = endOf(row.provider, reports, fault?.text);
    const metadata = { ...step.metadata, ...(fault && { error_code: fault.code }) };
    await runs.finishIn(client, runId, outcome, { ...step, metadata });
    // Only a pull that starts at the cursors proves that no older data is missing.
    if (followsCursors(run)) await recordOutcomes(client, connectionId, reports, startedAt);
    if (run.kind !== 'backfill') {
      const brought = outcome.status === 'success' || outcome.status === 'partial';
      if (brought) await connections.markSynced(connectionId, startedAt, client);
    }
    if (isPrimary) {
      await endNotifications(client, run, now());
      await client.query('delete from pull_run where run_id = $1', [runId]);
    }
    await deleteProgress(client, runId);
    ended = { outcome, ...row };
  });
  if (ended) metrics.runEnded(ended.provider, ended.source, ended.outcome.status);
  if (!isPrimary) runs.announce(userKey);
}

/**
 * Completes the reported changes that this run has read. If the connection has ended and another user shares its
 * account, the unread changes wait for that user. Otherwise the unread changes are marked as failed, and the next pull
 * of their data type starts early enough to include them.
 */
async function endNotifications(
  client: pg.ClientBase,
  { runId, connectionId }: Pick<OpenRun, 'runId' | 'connectionId'>,
  at: Date,
): Promise<void> {
  await client.query(
    `update provider_notification n set ended_at = $2, state = case
       when exists (select from pull_progress p where p.run_id = $1 and p.data_type = n.data_type
                       and p.outcome is distinct from 'success') then 'failed' else 'done' end
      where n.run_id = $1`,
    [runId, at],
  );
  await client.query(
    `update provider_notification n set ended_at = null, state = 'received', run_id = null
      where n.run_id = $1 and n.state = 'failed'
        and not exists (select from connection c where c.id = $2 and c.status = 'active'
                           and c.provider_user_id = n.provider_user_id)
        and exists (select from connection o where o.provider = n.provider and o.status = 'active'
                       and o.provider_user_id = n.provider_user_id)`,
    [runId, connectionId],
  );
}
