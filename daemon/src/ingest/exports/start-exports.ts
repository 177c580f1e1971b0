import type { Connection, Establishment } from '../../connections/index.js';
import { endRun } from './end-run.js';
import { latestExportRun } from './export-rows.js';
import type { ExportServices } from './export-services.js';
import { queueExports } from './request-exports.js';

/** Queues a backfill after a consent if a backfill is needed, and enqueues its job. */
export async function startExports(
  services: ExportServices,
  connection: Connection,
  establishment: Establishment,
): Promise<void> {
  if (await followConsent(services, connection, establishment)) {
    await services.exportJobs.tryEnqueue({ connection_id: connection.id });
  }
}

/**
 * Queues a backfill after the first consent, after a change of the vendor account, after an earlier consent had ended,
 * or if the last backfill did not succeed. On its own, the vendor never delivers data from a time without a consent.
 * @returns true if a backfill was queued
 */
export async function followConsent(
  services: Omit<ExportServices, 'exportJobs'>,
  connection: Connection,
  { firstEver, accountChanged, revived }: Establishment,
): Promise<boolean> {
  const { connections, historicalSyncOnConnect, pool } = services;
  if (!connections.configurationOf(connection.provider)?.cloud.exports) return false;
  const startsOver = accountChanged || revived;
  const last = await latestExportRun(pool, connection.id);
  if (last?.isOpen && startsOver) {
    const reason = accountChanged ? 'Another account of the vendor was connected.' : 'The user connected again.';
    await endRun(services, connection, last.runId, 'cancelled', reason);
  }
  if (!historicalSyncOnConnect) return false;
  const isMissing = last !== undefined && (last.isOpen ? startsOver : last.status !== 'success');
  if (!firstEver && !isMissing && !startsOver) return false;
  await queueExports(services, connection, { fromNow: startsOver && !isMissing });
  return true;
}
