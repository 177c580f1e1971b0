import type pg from 'pg';
import type { RangeOutcome } from './run-ranges.js';

/** Ends a run's open ranges without success: all of them, or only the ranges of some types. */
export async function endOpenRanges(
  pool: pg.Pool | pg.ClientBase,
  runId: string,
  { outcome, error, dataTypes }: { outcome: RangeOutcome; error: string; dataTypes?: readonly string[] },
): Promise<void> {
  await pool.query(
    `update pull_progress set outcome = $2, error = $3
      where run_id = $1 and outcome is null and ($4::text[] is null or data_type = any ($4))`,
    [runId, outcome, error, dataTypes ?? null],
  );
}

/** Records why reading a type currently fails, for callers that watch the run. */
export async function recordFailure(pool: pg.Pool, runId: string, dataType: string, error: string): Promise<void> {
  await pool.query('update pull_progress set error = $3 where run_id = $1 and data_type = $2 and outcome is null', [
    runId,
    dataType,
    error,
  ]);
}

/** Ends one data type of a run as failed, with its last error. */
export async function giveUpType(pool: pg.Pool, runId: string, dataType: string): Promise<void> {
  await pool.query(
    `update pull_progress set outcome = 'failed', error = coalesce(error, 'unavailable')
      where run_id = $1 and data_type = $2 and outcome is null`,
    [runId, dataType],
  );
}

/** Deletes the progress rows of an ended run. Its metadata contains them. */
export async function deleteProgress(database: pg.Pool | pg.ClientBase, runId: string): Promise<void> {
  await database.query('delete from pull_progress where run_id = $1', [runId]);
}
