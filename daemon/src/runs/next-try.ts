import type pg from 'pg';

/** Changes the time of the next attempt of these runs. Ignores runs that do not wait for an attempt. */
export async function moveNextTry(pool: pg.Pool, runIds: readonly string[], at: Date): Promise<void> {
  await pool.query('update sync_run set next_try_at = $2 where run_id = any ($1::text[]) and next_try_at is not null', [
    runIds,
    at,
  ]);
}
