import type { Connection } from '../../connections/index.js';
import { inTransaction, lockUserIfExists } from '../../platform/database/index.js';
import type { RunOutcome } from '../../runs/index.js';
import { endExports } from './export-rows.js';
import type { ExportServices } from './export-services.js';

/** Ends a run early. Its open windows are not requested any more. */
export async function endRun(
  services: Pick<ExportServices, 'pool' | 'runs' | 'metrics'>,
  connection: Connection,
  runId: string,
  state: 'cancelled',
  message: string,
): Promise<void> {
  await endExports(services.pool, runId, { state });
  await finishRun(services, connection, runId, { outcome: { stage: 'cancelled', status: state }, step: { message } });
}

/** Ends a run. */
export async function finishRun(
  { pool, runs, metrics }: Pick<ExportServices, 'pool' | 'runs' | 'metrics'>,
  { provider, userKey }: Connection,
  runId: string,
  { outcome, step }: { outcome: RunOutcome; step: { message?: string } },
): Promise<void> {
  const ended = await inTransaction(pool, async (client) => {
    await lockUserIfExists(client, { userKey });
    return runs.finishIn(client, runId, outcome, step);
  });
  if (ended !== 'recorded') return;
  metrics.runEnded(provider, 'backfill', outcome.status);
  runs.announce(userKey);
}
