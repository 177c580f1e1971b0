import { PROVIDER_NAMES, type ProviderId } from '@healthd/model';
import type pg from 'pg';
import type { RunOutcome } from '../run-states.js';
import type { RunStep } from '../runs.js';

/** How one kind of data ended in a run, as the run's metadata shows it. */
export interface DataTypeReport {
  status: 'success' | 'partial' | 'failed' | 'skipped';
  inserted: number;
  updated: number;
  deleted: number;
  windows: number;
  received: number;
  rejected: number;
  /** Codes only. */
  error?: string;
}

export type DataTypeReports = Record<string, DataTypeReport>;

/** What became of each kind of data of a run so far. */
export async function readReports(client: pg.Pool | pg.ClientBase, runId: string): Promise<DataTypeReports> {
  const { rows } = await client.query<{ data_type: string; error: string | null } & Omit<DataTypeReport, 'error'>>(
    `select data_type, max(error) as error,
            case when bool_and(outcome = 'skipped') then 'skipped'
                 when bool_and(coalesce(outcome, '') in ('success', 'skipped')) then 'success'
                 when bool_or(outcome = 'success') or sum(windows) > 0 then 'partial'
                 else 'failed' end as status,
            sum(inserted)::float8 as inserted, sum(updated)::float8 as updated, sum(deleted)::float8 as deleted,
            sum(windows)::float8 as windows, sum(received)::float8 as received, sum(rejected)::float8 as rejected
       from pull_progress where run_id = $1 group by data_type order by data_type`,
    [runId],
  );
  return Object.fromEntries(
    rows.map(({ data_type, error, ...report }) => [data_type, error === null ? report : { ...report, error }]),
  );
}

/** How a run as a whole ends, and what it then tells. A run in which a type failed is never a success. */
export function endOf(
  provider: ProviderId,
  reports: DataTypeReports,
  fault?: string,
): { outcome: RunOutcome; step: RunStep } {
  const all = Object.values(reports);
  const sum = (member: 'inserted' | 'updated' | 'deleted' | 'rejected') =>
    all.reduce((total, report) => total + report[member], 0);
  const counts = { inserted: sum('inserted'), updated: sum('updated'), deleted: sum('deleted') };
  const metadata = { ...counts, rejected: sum('rejected'), data_types: reports };
  const itemsProcessed = counts.inserted + counts.updated + counts.deleted;
  const read = all.filter(({ status }) => status !== 'skipped');
  const failed = read.filter(({ status }) => status !== 'success');
  const name = PROVIDER_NAMES[provider];
  if (read.length === 0 && fault === undefined) {
    const message = `${name}: there was nothing to read.`;
    return { outcome: { stage: 'completed', status: 'skipped' }, step: { message, itemsProcessed, metadata } };
  }
  const stored = read.some(({ status }) => status !== 'failed');
  if (!stored) {
    const error = fault ?? `${name}: no kind of data could be read.`;
    return {
      outcome: { stage: 'failed', status: 'failed', error },
      step: { message: error, itemsProcessed, metadata },
    };
  }
  const changed = `${counts.inserted} new, ${counts.updated} changed, ${counts.deleted} removed`;
  if (failed.length === 0) {
    const message = `${name}: ${changed}.`;
    return { outcome: { stage: 'completed', status: 'success' }, step: { message, itemsProcessed, metadata } };
  }
  const missing = fault ?? `${failed.length} of ${read.length} kinds of data could not be read completely.`;
  const message = `${name}: ${changed}. ${missing}`;
  return { outcome: { stage: 'completed', status: 'partial' }, step: { message, itemsProcessed, metadata } };
}
