import type { JobParameters, JobRepository } from 'agenda';
import type { JobLog } from './definition.js';
import type { JobStore, StoredJobData } from './store.js';

/** Later than any deadline of a lock. */
const NEVER = new Date(8.64e15);

/** Longest wait of a failed job for which new work arrived while it ran. */
const NEW_WORK_WAIT_MS = 10_000;

/** How long after a deletion that failed it is tried again. */
const DELETE_RETRY_MS = 1000;

/** Agenda's view of the store, with what a service that must not lose or double work needs besides. */
export interface GuardedRepository {
  readonly repository: JobRepository;
  /** Deletes a finished job's row; what fails is tried again until it succeeds, and by `removePending`. */
  remove(id: string): Promise<void>;
  removePending(): Promise<void>;
}

export interface ClaimEvents {
  stopping(): boolean;
  /** Agenda has locked a job; it holds a place from now on. */
  claimed(): void;
  /** Agenda had no place for a job of this name after all, and it waits again. */
  givenBack(name: string): void;
}

/**
 * Wraps a store's repository:
 * - A claim keeps its place until it begins, however long that takes. Agenda drops a claim whose lock ended before and never
 *   gives its place back.
 * - Only due jobs are claimed. Agenda also claims what is due soon, which then holds a place and does nothing.
 * - A one-off job that is claimed without a next run was begun by a worker that died: that is counted in `progress`,
 *   which Agenda stores and which nothing else here uses.
 * - A job that goes back to waiting replaces the one that was queued under its key meanwhile; new work shortens the wait.
 * - The state of a job that was deleted is not saved again.
 * - `unlockJob` never rejects: Agenda does not wait for it, so a rejection would end the process.
 */
export function guardRepository(
  store: JobStore,
  log: JobLog,
  { stopping, claimed, givenBack }: ClaimEvents,
): GuardedRepository {
  const inner = store.repository;
  const removed = new Set<string>();
  /** Ids of claims that Agenda has not begun. */
  const unbegun = new Set<string>();
  const pending = new Set<string>();
  let retry: NodeJS.Timeout | undefined;
  const repository: JobRepository = Object.create(inner);

  repository.getNextJobToRun = async (name, _nextScanAt, lockDeadline, now, options) => {
    if (stopping()) return undefined;
    const job = await inner.getNextJobToRun(name, new Date(), lockDeadline, now, options);
    if (job === undefined) return undefined;
    if (stopping()) {
      await inner.unlockJob(job);
      return undefined;
    }
    claimed();
    unbegun.add(String(job._id));
    const wasBegun = job.type === 'normal' && job.nextRunAt === null;
    const kept = { ...job, lockedAt: NEVER };
    return wasBegun ? { ...kept, progress: (job.progress ?? 0) + 1 } : kept;
  };

  /** Agenda's first write for a claim. If it fails, Agenda drops the claim without a word. */
  const begin: JobRepository['saveJobState'] = async (job, options) => {
    job.lockedAt = new Date();
    try {
      await inner.saveJobState(job, options);
    } catch (error) {
      givenBack(job.name);
      throw error;
    }
  };

  repository.saveJobState = async (job, options) => {
    if (removed.delete(String(job._id))) return;
    if (unbegun.delete(String(job._id))) return begin(job, options);
    try {
      await inner.saveJobState(job, options);
    } catch (error) {
      if (!store.isDuplicate(error)) throw error;
      await replaceDuplicate(store, job);
      await inner.saveJobState(job, options);
    }
  };

  repository.unlockJob = async (job) => {
    unbegun.delete(String(job._id));
    await inner
      .unlockJob(job)
      .catch((error: unknown) =>
        log.debug(
          { event: 'job_unlock_failed', err: error },
          'Failed to unlock a job; it stays locked until its lock expires',
        ),
      );
    givenBack(job.name);
  };

  const removePending = async (): Promise<void> => {
    for (const id of [...pending]) {
      await inner.removeJobs({ id });
      pending.delete(id);
    }
  };

  /** A deletion may fail without an outage that others notice. Once its lock had expired, the job would run again. */
  const removeLater = (): void => {
    if (retry !== undefined) return;
    retry = setTimeout(() => {
      retry = undefined;
      if (!stopping()) removePending().catch(removeLater);
    }, DELETE_RETRY_MS).unref();
  };

  const remove = async (id: string): Promise<void> => {
    removed.add(id);
    try {
      await inner.removeJobs({ id });
      pending.delete(id);
    } catch (error) {
      pending.add(id);
      removeLater();
      log.debug({ event: 'job_delete_deferred', err: error }, 'Failed to delete a finished job; trying again');
    }
  };

  return { repository, remove, removePending };
}

/**
 * Removes the job that waits under the same key. Its failures are added to this one's: they were other tries of the
 * same work, and work that is queued again whenever it runs would otherwise begin to count again and never be given up.
 * If only one of the two has failed, the other one is new work, which must not wait for long.
 */
async function replaceDuplicate(store: JobStore, job: JobParameters): Promise<void> {
  const { uniqueKey } = job.data as StoredJobData;
  if (uniqueKey === undefined) return;
  const found = await store.pendingDuplicates(job.name, uniqueKey);
  const duplicates = found.filter(({ id }) => id !== String(job._id));
  for (const { failCount, nextRunAt } of duplicates) {
    const failures = Math.max(job.failCount ?? 0, 0);
    if (failures + failCount === 0 || !job.nextRunAt) continue;
    const hasNewWork = failures === 0 || failCount === 0;
    const laterMs = Math.max(job.nextRunAt.getTime(), nextRunAt.getTime());
    job.nextRunAt = new Date(hasNewWork ? Math.min(laterMs, Date.now() + NEW_WORK_WAIT_MS) : laterMs);
    job.failCount = failures + failCount;
  }
  if (duplicates.length > 0) await store.repository.removeJobs({ ids: duplicates.map(({ id }) => id) });
}
