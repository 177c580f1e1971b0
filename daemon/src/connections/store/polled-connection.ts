import type pg from 'pg';

/** Records the last scheduled poll of a connection. */
export async function markPolled(pool: pg.Pool, connectionId: string, at: Date): Promise<void> {
  await pool.query('update connection set polled_at = $2 where id = $1', [connectionId, at]);
}
