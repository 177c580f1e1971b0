import type { Pool, PoolClient } from 'pg';
import { JobFailure } from './failures.js';

/**
 * Outcome of work under a run lock. `held: false`: another process holds the lock, so the work did not run. `lost`: the
 * lock's connection broke during the work, even if the signal was not aborted yet.
 */
export type RunLockOutcome<T> = { held: false } | { held: true; value: T; lost: boolean };

/**
 * Runs `work` while holding a Postgres advisory lock on `key`. It therefore never runs concurrently in two processes on
 * this database, even if the job store releases the job too early.
 * Postgres drops the lock when the connection dies. The signal of `work` is then aborted, and `work` must stop writing.
 * The call holds a connection while `work` runs, so `pool` must not be the pool that `work` uses.
 */
export async function withRunLock<T>(
  pool: Pool,
  key: string,
  work: (lockLost: AbortSignal) => Promise<T>,
): Promise<RunLockOutcome<T>> {
  const client = await pool.connect();
  const lost = new AbortController();
  const onError = (cause: Error): void =>
    lost.abort(new JobFailure('job_run_lock_lost', 'The run lock was lost', undefined, { cause }));
  client.on('error', onError);
  let broken = false;
  try {
    if (!(await tryLock(client, key))) return { held: false };
    try {
      const value = await work(lost.signal);
      broken = lost.signal.aborted || !(await unlocked(client, key));
      return { held: true, value, lost: broken };
    } catch (error) {
      broken = lost.signal.aborted || !(await unlocked(client, key));
      throw error;
    }
  } catch (error) {
    broken ||= lost.signal.aborted;
    throw error;
  } finally {
    client.removeListener('error', onError);
    // Closes a connection that may still hold the lock, because only that reliably frees the lock.
    client.release(broken);
  }
}

/**
 * Returns an SQL condition that is true while a process holds a key's run lock. A killed process loses the lock at
 * once, so this is faster and more reliable than the job store. @param key SQL expression of the key
 */
export function runLockIsHeld(key: string): string {
  return `exists (
    select from pg_locks
     where locktype = 'advisory' and objsubid = 1 and granted
       and database = (select oid from pg_database where datname = current_database())
       and (classid::bigint << 32 | objid::bigint) = hashtextextended('healthd run ' || ${key}, 0))`;
}

async function tryLock(client: PoolClient, key: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as locked',
    [`healthd run ${key}`],
  );
  return rows[0]?.locked === true;
}

async function unlocked(client: PoolClient, key: string): Promise<boolean> {
  try {
    await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [`healthd run ${key}`]);
    return true;
  } catch {
    return false;
  }
}
