import type { SyncSource, SyncStage, SyncStatus } from '@healthd/contract';
import type { Retrying, SyncRun, SyncRunSummary } from '@healthd/schemas';

/** A row of sync_run with the user's public ID. */
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
  /**
   * Reason of the next attempt. This field and the next three fields are set while the run waits for that attempt.
   * `retry_max_attempts` is set only if there is a limit.
   */
  retry_reason: string | null;
  retry_attempt: number | null;
  retry_max_attempts: number | null;
  next_try_at: Date | null;
  metadata: Record<string, unknown>;
  started_at: Date | null;
  ended_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** Columns of {@link RunRow} for a query with `sync_run` r and `health_user` u. */
export const RUN_COLUMNS = 'r.*, u.id as user_id';

/** Converts a run's state to its API form. */
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
    retrying: retryingOf(row),
    started_at: row.started_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    last_update: row.updated_at.toISOString(),
  };
}

/** Converts a run with its metadata to its API form. */
export function runOf(row: RunRow): SyncRun {
  return { ...summaryOf(row), metadata: row.metadata };
}

function retryingOf(row: RunRow): Retrying | null {
  if (row.next_try_at === null) return null;
  return {
    reason: row.retry_reason ?? 'unknown',
    attempt: row.retry_attempt ?? 1,
    max_attempts: row.retry_max_attempts,
    next_try_at: row.next_try_at.toISOString(),
  };
}
