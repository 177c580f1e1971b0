import { PROVIDER_NAMES, type ProviderId } from '@healthd/model';
import type { RunOutcome, RunStep } from '../../runs/index.js';
import type { ExportRow, ExportState } from './export-rows.js';

/** Status of one data type over all its windows. */
export interface ExportTypeReport {
  status: 'in_progress' | 'success' | 'failed' | 'cancelled';
  /** First state in `ORDER` that any of the data type's windows has. */
  state: ExportState;
  /** Number of items that arrived for the data type's windows. */
  items: number;
  windows: number;
  from: Date;
  to: Date;
  requestedAt: Date | null;
  firstItemAt: Date | null;
  lastItemAt: Date | null;
  error: string | null;
}

/** Precedence of window states. A data type has the first of these states that any of its windows has. */
const ORDER: readonly ExportState[] = ['pending', 'requested', 'failed', 'cancelled', 'done', 'empty', 'covered'];

const STATUS: Readonly<Record<ExportState, ExportTypeReport['status']>> = {
  pending: 'in_progress',
  requested: 'in_progress',
  failed: 'failed',
  cancelled: 'cancelled',
  done: 'success',
  empty: 'success',
  covered: 'success',
};

/** Returns a report per data type, in the order of the requests. */
export function reportsOf(rows: readonly ExportRow[], order: readonly string[]): Map<string, ExportTypeReport> {
  const found = new Map<string, ExportTypeReport>();
  for (const dataType of order) {
    const own = rows.filter((row) => row.dataType === dataType);
    const [first] = own;
    if (!first) continue;
    const state = ORDER.find((one) => own.some((row) => row.state === one)) ?? 'pending';
    found.set(dataType, {
      status: STATUS[state],
      state,
      items: own.reduce((sum, { items }) => sum + items, 0),
      windows: own.length,
      from: new Date(
        own.reduce((earliest, { fromAt }) => Math.min(earliest, fromAt.getTime()), first.fromAt.getTime()),
      ),
      to: new Date(own.reduce((latest, { toAt }) => Math.max(latest, toAt.getTime()), first.toAt.getTime())),
      requestedAt: extreme(own, 'requestedAt', (a, b) => a < b),
      firstItemAt: extreme(own, 'firstItemAt', (a, b) => a < b),
      lastItemAt: extreme(own, 'lastItemAt', (a, b) => a > b),
      error: own.find(({ error }) => error !== null)?.error ?? null,
    });
  }
  return found;
}

function extreme(
  rows: readonly ExportRow[],
  member: 'requestedAt' | 'firstItemAt' | 'lastItemAt',
  isBetter: (a: Date, b: Date) => boolean,
): Date | null {
  return rows
    .map((row) => row[member])
    .reduce((best, one) => (one !== null && (best === null || isBetter(one, best)) ? one : best), null);
}

/** Returns the progress step of an open run. */
export function progressOf(provider: ProviderId, reports: ReadonlyMap<string, ExportTypeReport>): RunStep {
  const open = [...reports].filter(([, { status }]) => status === 'in_progress').map(([dataType]) => dataType);
  const message = `${PROVIDER_NAMES[provider]}: waiting for ${open.length} of ${reports.size} data types.`;
  const progress = reports.size === 0 ? 0 : Math.min(0.99, (reports.size - open.length) / reports.size);
  return { message, progress, itemsProcessed: itemsOf(reports), metadata: metadataOf(reports, open) };
}

/** Returns the outcome of a run without open windows. @param fault reason why the run ended early */
export function endOfExports(
  provider: ProviderId,
  reports: ReadonlyMap<string, ExportTypeReport>,
  fault?: string,
): { outcome: RunOutcome; step: RunStep } {
  const failed = [...reports.values()].filter(({ status }) => status !== 'success').length;
  const items = itemsOf(reports);
  const name = PROVIDER_NAMES[provider];
  const step = { itemsProcessed: items, metadata: metadataOf(reports, []) };
  if (failed > 0 && failed === reports.size) {
    const error = fault ?? `${name}: no data type could be requested.`;
    return { outcome: { stage: 'failed', status: 'failed', error }, step: { ...step, message: error } };
  }
  const arrived = `${name}: ${items} historical items arrived.`;
  if (failed === 0) return { outcome: { stage: 'completed', status: 'success' }, step: { ...step, message: arrived } };
  const missing = fault ?? `${failed} of ${reports.size} data types could not be requested.`;
  return { outcome: { stage: 'completed', status: 'partial' }, step: { ...step, message: `${arrived} ${missing}` } };
}

function itemsOf(reports: ReadonlyMap<string, ExportTypeReport>): number {
  return [...reports.values()].reduce((sum, { items }) => sum + items, 0);
}

function metadataOf(reports: ReadonlyMap<string, ExportTypeReport>, outstanding: readonly string[]) {
  const entries = [...reports].map(([dataType, { status, state, items, error }]) => [
    dataType,
    { status, state, items, ...(error !== null && { error }) },
  ]);
  return { exports: Object.fromEntries(entries) as Record<string, unknown>, outstanding };
}
