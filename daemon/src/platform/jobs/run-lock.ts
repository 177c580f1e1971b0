import type { Pool, PoolClient } from 'pg';
import { JobFailure } from './failures.js';

/**
 * `held: false`: another process holds the lock and nothing was run. `lost`: the lock's connection broke before `work`
 * ended, although its signal may not have been aborted yet.
 */
export type RunLockOutcome<T> = { held: false } | { held: true; value: T; lost: boolean };

/**
 * Runs `work` while holding a Postgres advisory lock on `key`, so that it never runs concurrently in any process on
 * this database, even if the job store believes otherwise.
 * Postgres drops the lock when the connection dies. The signal of `work` is then aborted, and `work` must stop writing.
 * The connection is held while `work` runs, so the pool must not be one that `work` itself uses.
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
    // A connection that may still hold the lock is closed, because only that reliably frees the lock.
    client.release(broken);
  }
}

/**
 * Returns SQL that is true while a process holds a key's run lock. A killed process no longer holds it, so this is more
 * reliable and faster than the job store. @param key SQL expression of the key
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
