import type { Pool } from 'pg';
import { withRunLock } from './run-lock.js';
import type { JobStore } from './store.js';

/**
 * Age of a claim from which its run lock is checked. A living worker acquires the run lock within milliseconds of the
 * claim.
 */
const RUN_LOCK_TAKEN_MS = 1000;

/**
 * Releases the jobs of killed workers, so that they continue immediately after a restart and not only when their locks
 * expire. Postgres drops a dead worker's run lock with its connection, so a claimed job with a free run lock has no
 * worker.
 */
export async function releaseJobsOfDeadWorkers(store: JobStore, lockPool: Pool): Promise<void> {
  for (const { id, name, uniqueKey } of await store.lockedJobs(new Date(Date.now() - RUN_LOCK_TAKEN_MS))) {
    await withRunLock(lockPool, runKey(name, uniqueKey, id), () => store.endLock(id));
  }
}

/** Returns the key of a job's run lock: the job's name with its unique key, or with its ID if it has no key. */
export function runKey(name: string, uniqueKey: string | undefined, id: string): string {
  return `${name} ${uniqueKey ?? id}`;
}
