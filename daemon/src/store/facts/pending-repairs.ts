import type pg from 'pg';

/** Name of the repair that places a user's items without an offset on their days again. */
export const PLACE_ITEMS = 'place_items';
/** Name of the repair that looks for sources that are one, and joins what is stored of them. */
export const JOIN_SOURCES = 'join_sources';

/** A repair of one user's stored data that is to be done. */
export interface PendingRepair {
  userKey: number;
  repair: string;
}

/**
 * Has all items of a user without an offset dated again, in portions, by a job; from the start where it was under way.
 */
export async function requestRedating(client: pg.ClientBase, userKey: number): Promise<void> {
  await client.query(
    `insert into pending_repair (user_key, repair) values ($1, $2)
     on conflict (user_key, repair) do update set retry_at = now(), resume_at = null`,
    [userKey, PLACE_ITEMS],
  );
}

/** Has the user's sources compared, and what is stored of those that are one joined, by a job. */
export async function requestJoining(client: pg.ClientBase, userKey: number): Promise<void> {
  await client.query(
    `insert into pending_repair (user_key, repair) values ($1, $2) on conflict (user_key, repair) do nothing`,
    [userKey, JOIN_SOURCES],
  );
}

/** Those of the named repairs whose time has come, the longest due first. */
export async function dueRepairs(pool: pg.Pool, repairs: readonly string[], limit: number): Promise<PendingRepair[]> {
  const { rows } = await pool.query<PendingRepair>(
    `select user_key as "userKey", repair from pending_repair
      where retry_at <= now() and repair = any ($1::text[]) order by retry_at, user_key limit $2`,
    [repairs, limit],
  );
  return rows;
}

/**
 * Where a repair goes on; undefined when it is done. The caller holds the lock of the user's row, as does every
 * transaction that asks for a repair again.
 */
export async function startOfRepair(
  client: pg.ClientBase,
  { userKey, repair }: PendingRepair,
): Promise<{ resumeAt: Date | undefined } | undefined> {
  const { rows } = await client.query<{ resume_at: Date | null }>(
    'select resume_at from pending_repair where user_key = $1 and repair = $2',
    [userKey, repair],
  );
  return rows[0] && { resumeAt: rows[0].resume_at ?? undefined };
}

/** Notes where a repair goes on. */
export async function advanceRepair(
  client: pg.ClientBase,
  { userKey, repair }: PendingRepair,
  resumeAt: Date,
): Promise<void> {
  await client.query('update pending_repair set resume_at = $3 where user_key = $1 and repair = $2', [
    userKey,
    repair,
    resumeAt,
  ]);
}

/** Leaves a repair for later. */
export async function postponeRepair(
  pool: pg.Pool,
  { userKey, repair }: PendingRepair,
  minutes: number,
): Promise<void> {
  await pool.query(
    `update pending_repair set retry_at = now() + make_interval(mins => $3) where user_key = $1 and repair = $2`,
    [userKey, repair, minutes],
  );
}

/** Takes a repair that is done off the list. */
export async function endRepair(database: Pick<pg.Pool, 'query'>, { userKey, repair }: PendingRepair): Promise<void> {
  await database.query('delete from pending_repair where user_key = $1 and repair = $2', [userKey, repair]);
}
