import type pg from 'pg';

/** Name of the repair that redates a user's items without an offset. */
export const PLACE_ITEMS = 'place_items';
/** Name of the repair that detects sources of the same app and joins their data. */
export const JOIN_SOURCES = 'join_sources';

/** A pending repair of one user's data. */
export interface PendingRepair {
  userKey: number;
  repair: string;
}

/**
 * Requests a job that redates all of a user's items without an offset, in chunks. Restarts a job that is in progress.
 */
export async function requestRedating(client: pg.ClientBase, userKey: number): Promise<void> {
  await client.query(
    `insert into pending_repair (user_key, repair) values ($1, $2)
     on conflict (user_key, repair) do update set retry_at = now(), resume_at = null`,
    [userKey, PLACE_ITEMS],
  );
}

/** Requests a job that compares the user's sources and joins sources of the same app. */
export async function requestJoining(client: pg.ClientBase, userKey: number): Promise<void> {
  await client.query(
    `insert into pending_repair (user_key, repair) values ($1, $2) on conflict (user_key, repair) do nothing`,
    [userKey, JOIN_SOURCES],
  );
}

/** Loads due repairs with these names, the oldest due date first. */
export async function dueRepairs(pool: pg.Pool, repairs: readonly string[], limit: number): Promise<PendingRepair[]> {
  const { rows } = await pool.query<PendingRepair>(
    `select user_key as "userKey", repair from pending_repair
      where retry_at <= now() and repair = any ($1::text[]) order by retry_at, user_key limit $2`,
    [repairs, limit],
  );
  return rows;
}

/**
 * Loads the position at which a repair continues; undefined if it is complete. The user's row must be locked, as in every
 * transaction that requests a repair.
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

/** Stores the position at which a repair continues. */
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

/** Postpones a repair. */
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

/** Deletes a completed repair. */
export async function endRepair(database: Pick<pg.Pool, 'query'>, { userKey, repair }: PendingRepair): Promise<void> {
  await database.query('delete from pending_repair where user_key = $1 and repair = $2', [userKey, repair]);
}
