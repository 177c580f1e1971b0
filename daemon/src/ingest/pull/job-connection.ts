import type pg from 'pg';

/** The oldest active connection of the same vendor account as connection `c`, else `c` itself. */
export const JOB_CONNECTION = `coalesce((
  select o.id from connection o
   where c.status = 'active' and o.status = 'active' and o.provider = c.provider
     and o.provider_user_id = c.provider_user_id
   order by o.created_at, o.id limit 1), c.id)`;

/** The connection whose job does the runs of this one. */
export async function jobConnectionOf(pool: pg.Pool, connectionId: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `select ${JOB_CONNECTION} as id from connection c where c.id = $1`,
    [connectionId],
  );
  return rows[0]?.id ?? connectionId;
}
