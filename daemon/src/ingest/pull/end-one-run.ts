import { noteOutcomes } from '../../connections/index.js';
import { inTransaction, lockUserIfExists } from '../../platform/database/index.js';
import { deleteProgress, endOf, endOpenRanges, type RunOutcome, readReports } from '../../runs/index.js';
import { endNotifications } from './end-notifications.js';
import { followsCursors, type OpenRun } from './open-runs.js';
import type { PullServices } from './pull-services.js';

/** Why a run ends before everything was read. */
export interface RunFault {
  /** For the kinds of data that are still open; codes only. */
  code: string;
  /** For people. */
  text: string;
}

interface EndedRun {
  runId: string;
  userKey: number;
  connectionId: string;
}

/** Ends one run: the one that read, or that of another user whom it fed. */
export async function endOneRun(
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
    // Only a pull from the cursors says that nothing is missing behind it.
    if (followsCursors(run)) await noteOutcomes(client, connectionId, reports, startedAt);
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
