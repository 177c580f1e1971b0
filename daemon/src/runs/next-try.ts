import type pg from 'pg';

/** Changes the time of the next attempt, for runs that wait for one. */
export async function moveNextTry(pool: pg.Pool, runIds: readonly string[], at: Date): Promise<void> {
  await pool.query('update sync_run set next_try_at = $2 where run_id = any ($1::text[]) and next_try_at is not null', [
    runIds,
    at,
  ]);
}
