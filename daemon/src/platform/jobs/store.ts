import type { JobRepository } from 'agenda';

/** Numbers of a job type's stored jobs. */
export interface StoredJobCounts {
  readonly name: string;
  /** Due and not yet claimed by a worker. */
  readonly waiting: number;
  /** Scheduled for later, including retries. */
  readonly scheduled: number;
  readonly running: number;
  /** Number of jobs in any of these states that have failed at least once. */
  readonly failing: number;
  /** Time since which the oldest waiting job is due. */
  readonly oldestWaitingSince: Date | undefined;
}

/** A job that a worker, living or dead, has claimed. */
export interface LockedJob {
  readonly id: string;
  readonly name: string;
  readonly uniqueKey: string | undefined;
}

/** A job that waits under a unique key, with its number of failures so far. */
export interface PendingDuplicate {
  readonly id: string;
  readonly failCount: number;
  readonly nextRunAt: Date;
}

/** A job store. `open` is called until it succeeds; the other methods only afterwards. */
export interface JobStore {
  readonly kind: 'postgres' | 'mongodb';
  readonly repository: JobRepository;
  /** Connects and creates tables and indexes. Safe when several processes start concurrently. */
  open(): Promise<void>;
  /** One cheap round trip; rejects while the store is unavailable. */
  ping(): Promise<void>;
  /**
   * True if the error means that a waiting job with this unique key, or the repeating job of this name, already exists.
   */
  isDuplicate(error: unknown): boolean;
  /** Returns the waiting jobs of this name and key, at most one. */
  pendingDuplicates(name: string, uniqueKey: string): Promise<PendingDuplicate[]>;
  /**
   * Makes the waiting job of this name and key due if it is scheduled for later, but at the earliest a second after its
   * last run. The next attempt is additional: its failure does not count.
   * @returns the new due time; undefined if no job is scheduled for later
   */
  wake(name: string, uniqueKey: string): Promise<Date | undefined>;
  /** Releases jobs that were claimed before this time and never started. @returns their names */
  releaseUnstarted(before: Date): Promise<string[]>;
  /** Returns jobs that a worker locked before this time. */
  lockedJobs(before: Date): Promise<LockedJob[]>;
  /** Ends a job's lock, so that the next polling worker claims it. */
  endLock(id: string): Promise<void>;
  counts(): Promise<StoredJobCounts[]>;
  close(): Promise<void>;
}

/** A job's data in the store. Both back ends store it as JSON, so that jobs behave the same in both. */
export interface StoredJobData {
  readonly payload: unknown;
  readonly uniqueKey?: string;
}
