import type { ProviderId } from '@healthd/model';
import type { VendorApi } from '@healthd/providers';
import { z } from 'zod';
import { type Connection, connectionFault, pullBlockerText } from '../../connections/index.js';
import { defineJob, type JobDefinition, type JobLog, type JobSweeper, RETRY_SOON } from '../../platform/jobs/index.js';
import { requestExport, settle } from './request-from-vendor.js';
import { endRun, finishRun } from './end-run.js';
import { endOfExports, progressOf, reportsOf } from './export-report.js';
import {
  changeExport,
  connectionsWithoutJob,
  type ExportRow,
  endExports,
  exportsOfRun,
  latestExportRun,
} from './export-rows.js';
import type { ExportPayload, ExportServices } from './export-services.js';
import { exportsOf, isForgotten } from './request-exports.js';
import { followConsent } from './start-exports.js';

const EXPORT_JOB = 'request-exports';
const MAX_DURATION_SECONDS = 600;
const AT_ONCE = 2;

type JobServices = Omit<ExportServices, 'exportJobs'>;

/**
 * Requests a historical export window by window, then polls for delivery. All state is in the window rows, so a restart
 * loses nothing. No job runs between polls.
 */
export function exportJob(services: JobServices): JobDefinition<ExportPayload> {
  return defineJob({
    name: EXPORT_JOB,
    payload: z.object({ connection_id: z.uuid() }),
    key: ({ connection_id: connectionId }) => `connection ${connectionId}`,
    concurrency: AT_ONCE,
    maxDurationSeconds: MAX_DURATION_SECONDS,
    retry: RETRY_SOON,
    async run({ connection_id: connectionId }, { signal, log }) {
      const connection = await services.connections.findConnectionById(connectionId);
      if (!connection) return;
      if (services.historicalSyncOnConnect && isForgotten(connection, services.now())) {
        const { consentedAt, accountCheckedAt } = connection;
        // `consentedAt` is the time of the first consent. Every consent also checks the account, so a check after that
        // time means that a new consent revived the connection.
        const revived = consentedAt !== undefined && accountCheckedAt !== undefined && accountCheckedAt > consentedAt;
        await followConsent(services, connection, { firstEver: !revived, accountChanged: false, revived });
      }
      const run = await latestExportRun(services.pool, connectionId);
      if (run?.isOpen) await advance(services, connection, run.runId, { signal, log });
    },
  });
}

async function advance(
  services: JobServices,
  connection: Connection,
  runId: string,
  { signal, log }: { signal: AbortSignal; log: JobLog },
): Promise<void> {
  const { pool, connections, runs, now, cloudOf } = services;
  const { provider } = connection;
  const fault = connectionFault(connection);
  if (fault) return endRun(services, connection, runId, 'cancelled', pullBlockerText(fault, provider));
  if (!connections.configurationOf(provider)) {
    return endRun(services, connection, runId, 'cancelled', pullBlockerText('unconfigured', provider));
  }
  if (!(await connections.settingOf(provider)).isEnabled) {
    return endRun(services, connection, runId, 'cancelled', pullBlockerText('disabled', provider));
  }
  const adapter = exportsOf({ cloudOf }, provider);
  await runs.move(runId, 'started', { message: 'Requesting the history from the vendor.' });
  const api = connections.vendorApiOf(connection, signal, 'backfill');
  const wait = await requestAll(services, connection, runId, { api, signal, log });
  const rows = await exportsOfRun(pool, runId);
  for (const row of rows) {
    if (row.state !== 'requested' || row.nextLookAt > now()) continue;
    const change = settle(row, now().getTime());
    if (change) await changeExport(pool, row, change);
  }
  const polled = await exportsOfRun(pool, runId);
  const order = adapter.types.map(({ id }) => id);
  const reports = reportsOf(polled, order);
  if ([...reports.values()].some(({ status }) => status === 'in_progress')) {
    const nextTry = wait && { nextTry: { reason: wait.reason, attempt: 2, at: wait.until } };
    await runs.move(runId, 'fetching', { ...progressOf(provider, reports), ...nextTry });
    return;
  }
  await finishRun(services, connection, runId, endOfExports(provider, reports));
}

/** Requests all due windows. @returns the wait that the vendor requires; undefined if no request must wait */
async function requestAll(
  services: JobServices,
  connection: Connection,
  runId: string,
  { api, signal, log }: { api: VendorApi; signal: AbortSignal; log: JobLog },
): Promise<{ until: Date; reason: string } | undefined> {
  const { pool, now, cloudOf, metrics } = services;
  const adapter = exportsOf({ cloudOf }, connection.provider);
  for (;;) {
    signal.throwIfAborted();
    const due = nextDue(await exportsOfRun(pool, runId), adapter.types, now());
    if (!due) return undefined;
    const outcome = await requestExport(pool, adapter, api, due, now);
    if (outcome.kind === 'on') continue;
    metrics.vendorFailed(connection.provider, outcome.reason.split(' ')[0] ?? 'unknown');
    if (outcome.kind === 'over') {
      if (outcome.isOperators) {
        log.warn(
          { event: 'export_refused', provider: connection.provider, reason: outcome.reason },
          'Stopped requesting exports: the vendor rejects them because of a service misconfiguration',
        );
      }
      await endExports(pool, runId, { state: 'failed', error: outcome.reason });
      return undefined;
    }
    await pool.query(
      `update vendor_export set next_look_at = $2 where run_id = $1 and state = 'pending' and next_look_at < $2`,
      [runId, outcome.until],
    );
    return outcome;
  }
}

/** Returns the next due window: by data type, then the newest window. */
function nextDue(rows: readonly ExportRow[], types: readonly { id: string }[], now: Date): ExportRow | undefined {
  const due = rows.filter(({ state, nextLookAt }) => state === 'pending' && nextLookAt <= now);
  for (const { id } of types) {
    const row = due.find(({ dataType }) => dataType === id);
    if (row) return row;
  }
  return undefined;
}

/** Finds due windows. No job works on a run between two polls. */
export function exportSweeper(
  { pool, now, historicalSyncOnConnect }: JobServices,
  providers: readonly ProviderId[],
): JobSweeper<ExportPayload> {
  return {
    name: EXPORT_JOB,
    async findUnqueued(limit) {
      const searched = { providers: historicalSyncOnConnect ? providers : [], now: now(), limit };
      const ids = await connectionsWithoutJob(pool, EXPORT_JOB, searched);
      return ids.map((id) => ({ connection_id: id }));
    },
  };
}
