import type { SyncSource } from '@healthd/contract';
import { inTransaction } from '@healthd/daemon/platform/database';
import { createSyncNotifier, createSyncRuns, newRunId, type RunOutcome } from '@healthd/daemon/runs';
import type { ProviderId } from '@healthd/model';
import type { TestService } from './service.js';

/** Final state of a run that stored data. */
export const COMPLETED = { stage: 'completed', status: 'success' } as const;

/** Stores a run of the user: with the final state `outcome`, or in progress by default. */
export async function syncRun(
  { pool }: Pick<TestService, 'pool'>,
  userId: string,
  { provider, outcome, source = 'pull' }: { provider: ProviderId; outcome?: RunOutcome; source?: SyncSource },
): Promise<void> {
  const runs = createSyncRuns(pool, createSyncNotifier(pool));
  const runId = newRunId('run');
  const { rows } = await pool.query<{ user_key: number }>('select user_key from health_user where id = $1', [userId]);
  await inTransaction(pool, (client) =>
    runs.queue(client, { runId, userKey: rows[0]?.user_key ?? 0, provider, source }),
  );
  if (outcome) await runs.finish(runId, outcome);
}
