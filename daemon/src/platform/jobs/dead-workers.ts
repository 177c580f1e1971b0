import type { Pool } from 'pg';
import { withRunLock } from './run-lock.js';
import type { JobStore } from './store.js';

/** A living worker takes a job's run lock within milliseconds of the job. */
const RUN_LOCK_TAKEN_MS = 1000;

/**
 * Lets go of the jobs of workers that were killed, so that a start goes on with them immediately and not when their locks
 * have ended: Postgres drops a dead worker's run lock with its connection, so whose run lock is free has no one.
 */
export async function releaseJobsOfDeadWorkers(store: JobStore, lockPool: Pool): Promise<void> {
  for (const { id, name, uniqueKey } of await store.lockedJobs(new Date(Date.now() - RUN_LOCK_TAKEN_MS))) {
    await withRunLock(lockPool, runKey(name, uniqueKey, id), () => store.endLock(id));
  }
}

/** What two runs must not do at the same time: the work of a key, else the job itself. */
export function runKey(name: string, uniqueKey: string | undefined, id: string): string {
  return `${name} ${uniqueKey ?? id}`;
}
