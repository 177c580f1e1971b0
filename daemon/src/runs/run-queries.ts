import type { SyncSource, SyncStatus } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type { SyncRun, SyncRunSummary } from '@healthd/schemas';
import type pg from 'pg';
import { unprocessable } from '../platform/failures.js';
import { RUN_COLUMNS, type RunRow, runOf, summaryOf } from './run-row.js';
import { readReports } from './steps/run-report.js';

/** Filters of a run list. Omitted members do not filter. */
export interface RunFilter {
  limit: number;
  userKey?: number;
  userId?: string;
  provider?: ProviderId;
  status?: SyncStatus;
  source?: SyncSource;
  /** Earliest creation time in epoch milliseconds, inclusive. `toMs` is exclusive. */
  fromMs?: number;
  toMs?: number;
  /** ID of a run. Returns only runs after it in the list. */
  before?: string;
  /** If true, returns only runs that wait for another attempt. */
  retrying?: boolean;
  /** If true, returns only unresolved failures; see {@link UNRESOLVED}. */
  unresolved?: boolean;
}

const FILTERS = {
  userKey: 'r.user_key',
  userId: 'u.id',
  provider: 'r.provider',
  status: 'r.status',
  source: 'r.source',
} as const;

/**
 * SQL condition for an unresolved failure: the run failed in the last day, was not retried, and no later run of its
 * user and provider succeeded, even partially. Excludes accounts without health data, which are not a failure.
 */
const UNRESOLVED = `r.status = 'failed' and r.ended_at > now() - interval '24 hours'
  and not exists (select from sync_run n where n.metadata ? 'retry_of' and n.metadata ->> 'retry_of' = r.run_id)
  and not exists (select from sync_run n where n.user_key = r.user_key and n.provider = r.provider
                     and n.status in ('success', 'partial') and n.ended_at > r.ended_at)
  and not exists (select from connection c where c.user_key = r.user_key and c.provider = r.provider
                     and c.account_state = 'not_linked')`;

/** Returns runs, newest first. @throws Failure `unprocessable` on `query.before` if there is no such run */
export async function listRuns(pool: pg.Pool, filter: RunFilter): Promise<SyncRunSummary[]> {
  const values: unknown[] = [filter.limit];
  const conditions: string[] = [];
  for (const [name, column] of Object.entries(FILTERS) as [keyof typeof FILTERS, string][]) {
    if (filter[name] === undefined) continue;
    values.push(filter[name]);
    conditions.push(`${column} = $${values.length}`);
  }
  if (filter.fromMs !== undefined) conditions.push(`r.created_at >= $${values.push(new Date(filter.fromMs))}`);
  if (filter.toMs !== undefined) conditions.push(`r.created_at < $${values.push(new Date(filter.toMs))}`);
  if (filter.before !== undefined) {
    if (!(await findRunRow(pool, filter.before))) throw unprocessable(['query', 'before'], 'Run not found.');
    const last = `$${values.push(filter.before)}`;
    conditions.push(`(r.created_at, r.run_id) < ((select created_at from sync_run where run_id = ${last}), ${last})`);
  }
  if (filter.retrying) conditions.push('r.next_try_at is not null');
  if (filter.unresolved) conditions.push(UNRESOLVED);
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const { rows } = await pool.query<RunRow>(
    `select ${RUN_COLUMNS} from sync_run r join health_user u using (user_key) ${where}
     order by r.created_at desc, r.run_id desc limit $1`,
    values,
  );
  return rows.map(summaryOf);
}

/** Returns one run with its metadata. */
export async function findRun(pool: pg.Pool, runId: string): Promise<SyncRun | undefined> {
  const row = await findRunRow(pool, runId);
  if (!row) return undefined;
  const run = runOf(row);
  if (row.ended_at !== null || !READS_FROM_VENDOR.has(row.source)) return run;
  return { ...run, metadata: { ...run.metadata, data_types: await readReports(pool, runId, { isOpen: true }) } };
}

/**
 * Sources of runs that read from a vendor. They have progress rows per data type, which move to the run's metadata at
 * its end.
 */
const READS_FROM_VENDOR: ReadonlySet<SyncSource> = new Set(['pull', 'webhook', 'backfill', 'linked_account']);

/** Returns one run's row. */
export async function findRunRow(pool: pg.Pool, runId: string): Promise<RunRow | undefined> {
  const { rows } = await pool.query<RunRow>(
    `select ${RUN_COLUMNS} from sync_run r join health_user u using (user_key) where r.run_id = $1`,
    [runId],
  );
  return rows[0];
}
