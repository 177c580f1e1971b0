import type { SyncRun, SyncRunSummary, SyncSource, SyncStage, SyncStatus } from '@healthd/api';

/** A row of sync_run with the user's public id. */
export interface RunRow {
  run_id: string;
  user_id: string;
  user_key: number;
  provider: string;
  source: SyncSource;
  stage: SyncStage;
  status: SyncStatus;
  message: string | null;
  progress: number | null;
  items_processed: number | null;
  items_total: number | null;
  error: string | null;
  primary_user_id: string | null;
  metadata: Record<string, unknown>;
  started_at: Date | null;
  ended_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** Columns of {@link RunRow}; the query names `sync_run` r and `health_user` u. */
export const RUN_COLUMNS = 'r.*, u.id as user_id';

/** How a run stands, as the API shows it. */
export function summaryOf(row: RunRow): SyncRunSummary {
  return {
    run_id: row.run_id,
    user_id: row.user_id,
    provider: row.provider,
    source: row.source,
    stage: row.stage,
    status: row.status,
    message: row.message,
    progress: row.progress,
    items_processed: row.items_processed,
    items_total: row.items_total,
    error: row.error,
    primary_user_id: row.primary_user_id,
    started_at: row.started_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    last_update: row.updated_at.toISOString(),
  };
}

/** A run with its metadata, as the API shows it. */
export function runOf(row: RunRow): SyncRun {
  return { ...summaryOf(row), metadata: row.metadata };
}
