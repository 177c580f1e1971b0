import type { JobParameters, JobRepository } from 'agenda';
import type { JobLog } from './definition.js';
import type { JobStore, StoredJobData } from './store.js';

/** A lock time that never expires. */
const NEVER = new Date(8.64e15);

/** Maximum retry delay of a failed job if new work was queued during its run. */
const NEW_WORK_WAIT_MS = 10_000;

/** Retry delay of a failed deletion. */
const DELETE_RETRY_MS = 1000;

/** Agenda's view of the store, with guarantees that work is neither lost nor duplicated. */
export interface GuardedRepository {
  readonly repository: JobRepository;
  /** Deletes a finished job's row. If that fails, retries later and in `removePending`. */
  remove(id: string): Promise<void>;
  removePending(): Promise<void>;
}

export interface ClaimEvents {
  stopping(): boolean;
  /** Called when Agenda has claimed a job, which occupies a slot from then on. */
  claimed(): void;
  /** Called when Agenda returns a claimed job, which waits again and frees its slot. */
  givenBack(name: string): void;
}

/**
 * Wraps a store's repository:
 * - A claim keeps its slot until its job starts, however long that takes. Agenda drops a claim whose lock expired
 *   earlier and never frees its slot.
 * - Only due jobs are claimed. Agenda also claims jobs that are due soon, which then hold a slot and do nothing.
 * - A one-off job that is claimed without a next run was started by a worker that crashed. Such crashes are
 *   counted in `progress`, which Agenda stores and nothing else uses.
 * - A job that returns to waiting replaces the job that was queued under its key in the meantime; new work shortens the
 *   wait.
 * - The state of a deleted job is not saved again.
 * - `unlockJob` never rejects: Agenda does not await it, so a rejection would end the process.
 */
export function guardRepository(
  store: JobStore,
  log: JobLog,
  { stopping, claimed, givenBack: returned }: ClaimEvents,
): GuardedRepository {
  const inner = store.repository;
  const removed = new Set<string>();
  /** IDs of claims that Agenda has not started. */
  const unstarted = new Set<string>();
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
    unstarted.add(String(job._id));
    const wasStarted = job.type === 'normal' && job.nextRunAt === null;
    const claimedJob = { ...job, lockedAt: NEVER };
    return wasStarted ? { ...claimedJob, progress: (job.progress ?? 0) + 1 } : claimedJob;
  };

  /** Stores the start of a claimed job. If this write fails, Agenda drops the claim silently. */
  const saveStart: JobRepository['saveJobState'] = async (job, options) => {
    job.lockedAt = new Date();
    try {
      await inner.saveJobState(job, options);
    } catch (error) {
      returned(job.name);
      throw error;
    }
  };

  repository.saveJobState = async (job, options) => {
    if (removed.delete(String(job._id))) return;
    if (unstarted.delete(String(job._id))) return saveStart(job, options);
    try {
      await inner.saveJobState(job, options);
    } catch (error) {
      if (!store.isDuplicate(error)) throw error;
      await replaceDuplicate(store, job);
      await inner.saveJobState(job, options);
    }
  };

  repository.unlockJob = async (job) => {
    unstarted.delete(String(job._id));
    await inner
      .unlockJob(job)
      .catch((error: unknown) =>
        log.debug(
          { event: 'job_unlock_failed', err: error },
          'Failed to unlock a job; it stays locked until its lock expires',
        ),
      );
    returned(job.name);
  };

  const removePending = async (): Promise<void> => {
    for (const id of [...pending]) {
      await inner.removeJobs({ id });
      pending.delete(id);
    }
  };

  /**
   * Retries the deletion later. A deletion may fail without an outage that other operations detect. The job would then
   * run again after its lock expires.
   */
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
 * Deletes the job that waits under the same key and adds its failures to this job's failures, because both attempted
 * the same work. Otherwise work that is queued again during every run would never fail permanently. If only one of the
 * two jobs has failed, the other job is new work and must not wait long.
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
