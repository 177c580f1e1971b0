import type { ItemCounts } from '@healthd/model';
import type pg from 'pg';
import { COUNTED, type WindowCounts } from './window-counts.js';

/** Outcome of one data type in the run's metadata. */
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
  /** Number of rejected items by reason. Omitted if nothing was rejected. */
  rejected_by_reason?: Record<string, number>;
  /** Error code. */
  error?: string;
}

export type DataTypeReports = Record<string, DataTypeReport>;

/**
 * Reads the current outcome of each data type of a run. @param isOpen true if types without an outcome may still get
 * one
 */
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
