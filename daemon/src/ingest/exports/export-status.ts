import type { ProviderId } from '@healthd/model';
import type { BackfillStatus } from '@healthd/schemas';
import { Failure } from '../../platform/failures.js';
import { endRun } from './end-run.js';
import { type ExportTypeReport, reportsOf } from './export-report.js';
import { type ExportState, exportsOfRun, latestExportRun } from './export-rows.js';
import type { ExportServices } from './export-services.js';
import { exportsOf } from './request-exports.js';

type Cell = 'done' | 'pending' | 'timed_out' | 'failed';

const CELLS: Readonly<Record<ExportState, Cell>> = {
  pending: 'pending',
  requested: 'pending',
  done: 'done',
  covered: 'done',
  empty: 'timed_out',
  failed: 'failed',
  cancelled: 'pending',
};

/**
 * Returns the state that known clients display. They treat a type as done after its first delivery. The response's
 * `types` report whether more data follows.
 */
function cellOf({ state, items }: ExportTypeReport): Cell {
  return items > 0 && state !== 'failed' ? 'done' : CELLS[state];
}

/** Number that known clients display. The service does not use it. */
const MAX_ATTEMPTS = 3;

/**
 * Returns the progress of a user's backfill; pending if nothing was requested yet. @throws Failure `not_implemented`
 */
export async function exportStatus(
  services: Pick<ExportServices, 'pool' | 'cloudOf' | 'connections'>,
  user: { id: string; userKey: number },
  provider: ProviderId,
): Promise<BackfillStatus> {
  const { pool, connections } = services;
  const order = exportsOf(services, provider).types.map(({ id }) => id);
  const connection = await connections.findConnection(user.userKey, provider);
  const run = connection && (await latestExportRun(pool, connection.id));
  const reports = run ? reportsOf(await exportsOfRun(pool, run.runId), order) : new Map<string, ExportTypeReport>();
  const retryType = typeof run?.metadata.retry_type === 'string' ? run.metadata.retry_type : null;
  const cells = [...reports].map(([dataType, report]) => [dataType, cellOf(report)] as const);
  const count = (cell: Cell, cellState: Cell) => (cell === cellState ? 1 : 0);
  return {
    user_id: user.id,
    provider,
    overall_status: overallOf(run, retryType),
    current_window: 0,
    total_windows: 1,
    windows: { '0': Object.fromEntries(cells) },
    summary: Object.fromEntries(
      cells.map(([dataType, cell]) => [
        dataType,
        { done: count(cell, 'done'), timed_out: count(cell, 'timed_out'), failed: count(cell, 'failed') },
      ]),
    ),
    in_progress: run?.isOpen ?? false,
    retry_phase: run?.isOpen === true && retryType !== null,
    retry_type: run?.isOpen === true ? retryType : null,
    retry_window: run?.isOpen === true && retryType !== null ? 0 : null,
    attempt_count: run ? 1 : 0,
    max_attempts: MAX_ATTEMPTS,
    permanently_failed: run?.status === 'failed',
    run_id: run?.runId ?? null,
    outstanding: [...reports].flatMap(([dataType, { status }]) => (status === 'in_progress' ? [dataType] : [])),
    types: [...reports].map(([type, report]) => ({
      type,
      state: report.state,
      items: report.items,
      start_date: report.from.toISOString(),
      end_date: report.to.toISOString(),
      requested_at: report.requestedAt?.toISOString() ?? null,
      first_item_at: report.firstItemAt?.toISOString() ?? null,
      last_item_at: report.lastItemAt?.toISOString() ?? null,
      error: report.error,
    })),
  };
}

function overallOf(
  run: { isOpen: boolean; status: string } | undefined,
  retryType: string | null,
): BackfillStatus['overall_status'] {
  if (!run) return 'pending';
  if (run.isOpen) return retryType === null ? 'in_progress' : 'retry_in_progress';
  if (run.status === 'cancelled') return 'cancelled';
  return run.status === 'failed' ? 'permanently_failed' : 'complete';
}

/**
 * Stops requesting history. Data that the vendor still sends is stored. @throws Failure `not_implemented`, `conflict`
 */
export async function cancelExports(
  services: Pick<ExportServices, 'pool' | 'runs' | 'metrics' | 'cloudOf' | 'connections'>,
  user: { userKey: number },
  provider: ProviderId,
): Promise<{ runId: string }> {
  exportsOf(services, provider);
  const connection = await services.connections.findConnection(user.userKey, provider);
  const run = connection && (await latestExportRun(services.pool, connection.id));
  if (!connection || !run?.isOpen) throw new Failure('conflict', 'No backfill in progress for this user');
  await endRun(services, connection, run.runId, 'cancelled', 'Cancelled on request.');
  return { runId: run.runId };
}
