import type pg from 'pg';

/** Retention of run status. */
export interface SyncRetention {
  /** Days for which single steps are retained. Lists and streams return these steps. */
  eventDays: number;
  /**
   * Days for which ended runs and their reports are retained. Syncs that had neither new data nor errors expire after
   * `eventDays`.
   */
  runDays: number;
}

export const DEFAULT_SYNC_RETENTION: SyncRetention = { eventDays: 7, runDays: 90 };

const ROWS_PER_STATEMENT = 5_000;

/** Deletes old steps and old ended runs in batches of some thousand rows. Keeps open runs. */
export async function deleteOldSyncStatus(
  pool: pg.Pool,
  retention: SyncRetention,
  signal?: AbortSignal,
): Promise<{ events: number; runs: number }> {
  const events = await deleteInSteps(
    pool,
    `delete from sync_event where seq in (
       select seq from sync_event where created_at < now() - make_interval(days => $1) limit $2)`,
    retention.eventDays,
    signal,
  );
  const runs = await deleteInSteps(
    pool,
    `delete from sync_run where run_id in (
       select run_id from sync_run where created_at < now() - make_interval(days => $1)
         and ended_at < now() - make_interval(days => $1) limit $2)`,
    retention.runDays,
    signal,
  );
  const quiet = await deleteInSteps(
    pool,
    `delete from sync_run where run_id in (
       select run_id from sync_run where created_at < now() - make_interval(days => $1)
         and ended_at < now() - make_interval(days => $1)
         and source in ('pull', 'webhook', 'linked_account') and status in ('success', 'skipped')
         and coalesce(items_processed, 0) = 0 limit $2)`,
    Math.min(retention.eventDays, retention.runDays),
    signal,
  );
  return { events, runs: runs + quiet };
}

async function deleteInSteps(pool: pg.Pool, sql: string, days: number, signal?: AbortSignal): Promise<number> {
  let total = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { rowCount } = await pool.query(sql, [days, ROWS_PER_STATEMENT]);
    total += rowCount ?? 0;
    if ((rowCount ?? 0) < ROWS_PER_STATEMENT) return total;
  }
}
