import type pg from 'pg';

/**
 * Has Postgres count tables of health data that it never has. Before autovacuum first comes by it plans for tables of no
 * rows, and removes samples by comparing each with each: minutes for the first days that a new service archives.
 */
export async function ensureStatistics(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
      where oid in ('sample'::regclass, 'data_source'::regclass, 'sleep_session'::regclass, 'workout'::regclass)
        and reltuples < 0`,
  );
  for (const { name } of rows) await pool.query(`analyze ${name}`);
}
