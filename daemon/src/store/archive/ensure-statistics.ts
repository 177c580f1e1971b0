import type pg from 'pg';

/**
 * Makes Postgres analyze tables of health data that were never analyzed. Before the first autovacuum, Postgres plans
 * for empty tables and removes samples by comparing all pairs. This takes minutes for the first archived days of a new
 * service.
 */
export async function ensureStatistics(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
      where oid in ('sample'::regclass, 'data_source'::regclass, 'sleep_session'::regclass, 'workout'::regclass)
        and reltuples < 0`,
  );
  for (const { name } of rows) await pool.query(`analyze ${name}`);
}
