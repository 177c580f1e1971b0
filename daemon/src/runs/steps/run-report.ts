import { addItems, type ItemCounts, noItems, PROVIDER_NAMES, type ProviderId } from '@healthd/model';
import type pg from 'pg';
import type { RunOutcome } from '../run-states.js';
import type { RunStep } from '../runs.js';
import { COUNTED, type WindowCounts } from './progress-rows.js';

/** How one kind of data ended in a run, as the run's metadata shows it. */
interface DataTypeReport {
  /** `in_progress` only while the run is open. */
  status: 'in_progress' | 'success' | 'partial' | 'failed' | 'skipped';
  inserted: number;
  updated: number;
  deleted: number;
  windows: number;
  received: number;
  rejected: number;
  items: ItemCounts;
  /** Left out where nothing was rejected. */
  rejected_by_reason?: Record<string, number>;
  /** Codes only. */
  error?: string;
}

export type DataTypeReports = Record<string, DataTypeReport>;

/** What became of each kind of data of a run so far. @param isOpen whether what has no outcome yet may still get one */
export async function readReports(
  client: pg.Pool | pg.ClientBase,
  runId: string,
  { isOpen }: { isOpen: boolean },
): Promise<DataTypeReports> {
  const { rows } = await client.query<
    Pick<DataTypeReport, 'status' | 'windows'> &
      Omit<WindowCounts, 'rejectedByReason'> & {
        data_type: string;
        error: string | null;
        reasons: Record<string, number> | null;
      }
  >(
    `select data_type, max(error) as error,
            case when $2 and bool_or(outcome is null) then 'in_progress'
                 when bool_and(outcome = 'skipped') then 'skipped'
                 when bool_and(coalesce(outcome, '') in ('success', 'skipped')) then 'success'
                 when bool_or(outcome = 'success') or sum(windows) > 0 then 'partial'
                 else 'failed' end as status,
            (select jsonb_object_agg(reason, items)
               from (select reason, sum(items::bigint) as items
                       from pull_progress r, jsonb_each_text(r.rejected_by_reason) as reported (reason, items)
                      where r.run_id = $1 and r.data_type = p.data_type group by reason) summed) as reasons,
            sum(windows)::float8 as windows, ${COUNTED.map((name) => `sum(${name})::float8 as ${name}`).join(', ')}
       from pull_progress p where run_id = $1 group by data_type order by data_type`,
    [runId, isOpen],
  );
  return Object.fromEntries(
    rows.map(
      ({ data_type, error, reasons, status, windows, received, deleted, ...items }): [string, DataTypeReport] => {
        const { inserted, updated, rejected } = items;
        const byReason = reasons === null ? {} : { rejected_by_reason: reasons };
        const report = { status, inserted, updated, deleted, windows, received, rejected, items, ...byReason };
        return [data_type, error === null ? report : { ...report, error }];
      },
    ),
  );
}

/** How a run as a whole ends, and what it then reports. A run in which a type failed is never a success. */
export function endOf(
  provider: ProviderId,
  reports: DataTypeReports,
  fault?: string,
): { outcome: RunOutcome; step: RunStep } {
  const all = Object.values(reports);
  const sum = (member: 'inserted' | 'updated' | 'deleted' | 'rejected') =>
    all.reduce((total, report) => total + report[member], 0);
  const counts = { inserted: sum('inserted'), updated: sum('updated'), deleted: sum('deleted') };
  const items = noItems();
  for (const report of all) addItems(items, report.items);
  const metadata = { ...counts, rejected: sum('rejected'), items, data_types: reports };
  const itemsProcessed = counts.inserted + counts.updated + counts.deleted;
  const read = all.filter(({ status }) => status !== 'skipped');
  const failed = read.filter(({ status }) => status !== 'success');
  const name = PROVIDER_NAMES[provider];
  if (read.length === 0 && fault === undefined) {
    const isUnconsented = all.length > 0 && all.every(({ error }) => error === 'scope_missing');
    const message = isUnconsented
      ? `${name}: the person granted access to none of the data; after connecting again with it, it is read.`
      : `${name}: there was nothing to read.`;
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
