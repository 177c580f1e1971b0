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

/** Delays the next attempt of a repair. */
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

/** Progress of a repair over all users. */
export interface RepairProgress {
  repair: string;
  usersDone: number;
  usersTotal: number;
  /** Number of users whose repair failed and waits for a retry. */
  usersFailed: number;
  /** Undefined until the first user's repair starts. */
  startedAt: Date | undefined;
  /** Undefined while users are pending. */
  finishedAt: Date | undefined;
}

/** Starts a new progress record for each repair that has finished or never ran. */
export async function startProgress(pool: pg.Pool, repairs: readonly string[]): Promise<void> {
  await pool.query(
    `insert into repair_progress as stored (repair) select unnest($1::text[])
     on conflict (repair) do update set users_done = 0, started_at = now(), finished_at = null
      where stored.finished_at is not null`,
    [repairs],
  );
}

/** Counts a user whose repair is complete, in the transaction that deletes the pending repair. */
export async function countRepairedUser(client: pg.ClientBase, repair: string): Promise<void> {
  await client.query('update repair_progress set users_done = users_done + 1 where repair = $1', [repair]);
}

/** Marks the progress of repairs without pending users as finished. */
export async function finishProgress(pool: pg.Pool): Promise<void> {
  await pool.query(
    `update repair_progress done set finished_at = now()
      where finished_at is null and not exists (select from pending_repair where repair = done.repair)`,
  );
}

/** Loads the progress of repairs with these names that are pending or have run. */
export async function readRepairProgress(pool: pg.Pool, repairs: readonly string[]): Promise<RepairProgress[]> {
  const { rows } = await pool.query<
    Omit<RepairProgress, 'startedAt' | 'finishedAt'> & Record<'started' | 'finished', Date | null>
  >(
    `select repair, coalesce(done.users_done, 0) as "usersDone",
            (coalesce(done.users_done, 0) + coalesce(waiting.users, 0))::integer as "usersTotal",
            coalesce(waiting.failed, 0)::integer as "usersFailed",
            done.started_at as started,
            -- The process may have ended after the last user, or the last pending user may have been erased.
            case when waiting.users is null then coalesce(done.finished_at, now()) end as finished
       from (
         -- A finished repair that is pending again has not started.
         select * from repair_progress p where repair = any ($1::text[])
            and (finished_at is null or not exists (select from pending_repair where repair = p.repair))
       ) done
       full join (
         select repair, count(*) as users, count(*) filter (where retry_at > now()) as failed
           from pending_repair where repair = any ($1::text[]) group by repair
       ) waiting using (repair)
      order by repair`,
    [repairs],
  );
  return rows.map(({ started, finished, ...progress }) => ({
    ...progress,
    startedAt: started ?? undefined,
    finishedAt: finished ?? undefined,
  }));
}

/** Deletes a completed repair. */
export async function endRepair(database: Pick<pg.Pool, 'query'>, { userKey, repair }: PendingRepair): Promise<void> {
  await database.query('delete from pending_repair where user_key = $1 and repair = $2', [userKey, repair]);
}
