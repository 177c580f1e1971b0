import type { SyncRun, SyncRunSummary, SyncSource, SyncStatus } from '@healthd/api';
import type { ProviderId } from '@healthd/model';
import type pg from 'pg';
import { RUN_COLUMNS, type RunRow, runOf, summaryOf } from './run-row.js';

/** Which runs a list holds; members left out do not limit it. */
export interface RunFilter {
  limit: number;
  userKey?: number;
  userId?: string;
  provider?: ProviderId;
  status?: SyncStatus;
  source?: SyncSource;
}

const FILTERS = {
  userKey: 'r.user_key',
  userId: 'u.id',
  provider: 'r.provider',
  status: 'r.status',
  source: 'r.source',
} as const;

/** Runs, newest first. */
export async function listRuns(pool: pg.Pool, filter: RunFilter): Promise<SyncRunSummary[]> {
  const values: unknown[] = [filter.limit];
  const conditions: string[] = [];
  for (const [name, column] of Object.entries(FILTERS) as [keyof typeof FILTERS, string][]) {
    if (filter[name] === undefined) continue;
    values.push(filter[name]);
    conditions.push(`${column} = $${values.length}`);
  }
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const { rows } = await pool.query<RunRow>(
    `select ${RUN_COLUMNS} from sync_run r join health_user u using (user_key) ${where}
     order by r.created_at desc, r.run_id desc limit $1`,
    values,
  );
  return rows.map(summaryOf);
}

/** One run with its metadata. */
export async function findRun(pool: pg.Pool, runId: string): Promise<SyncRun | undefined> {
  const { rows } = await pool.query<RunRow>(
    `select ${RUN_COLUMNS} from sync_run r join health_user u using (user_key) where r.run_id = $1`,
    [runId],
  );
  return rows[0] && runOf(rows[0]);
}
