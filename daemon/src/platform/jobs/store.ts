import type { JobRepository } from 'agenda';

/** How many jobs of one name are in the store. */
export interface StoredJobCounts {
  readonly name: string;
  /** Due and not yet taken by a worker. */
  readonly waiting: number;
  /** For later, retries included. */
  readonly scheduled: number;
  readonly running: number;
  /** Of these, how many have failed at least once. */
  readonly failing: number;
  /** Since when the oldest waiting job is due. */
  readonly oldestWaitingSince: Date | undefined;
}

/** A job that some worker, living or dead, has taken. */
export interface LockedJob {
  readonly id: string;
  readonly name: string;
  readonly uniqueKey: string | undefined;
}

/** A job that waits under a unique key, with what its failures so far decide. */
export interface PendingDuplicate {
  readonly id: string;
  readonly failCount: number;
  readonly nextRunAt: Date;
}

/** One of the two places where jobs are. `open` is called until it succeeds; the rest only after that. */
export interface JobStore {
  readonly kind: 'postgres' | 'mongodb';
  readonly repository: JobRepository;
  /** Connects and creates tables and indexes; safe when several processes start at the same time. */
  open(): Promise<void>;
  /** One cheap round trip; rejects while the store is away. */
  ping(): Promise<void>;
  /** Whether the error means that a waiting job with this unique key, or the repeating job of this name, exists. */
  isDuplicate(error: unknown): boolean;
  /** Waiting jobs of this name with this key: none or one. */
  pendingDuplicates(name: string, uniqueKey: string): Promise<PendingDuplicate[]>;
  /**
   * Makes the waiting job of this name and key due, at the earliest a second after it last ran, if it waits for later. What
   * follows is an additional attempt: its failure does not count.
   * @returns when the job is due; undefined if none waits for later
   */
  wake(name: string, uniqueKey: string): Promise<Date | undefined>;
  /** Lets the next worker take the jobs that were claimed before this time and never begun. @returns their names */
  releaseUnbegun(before: Date): Promise<string[]>;
  /** Jobs that some worker has locked before this time. */
  lockedJobs(before: Date): Promise<LockedJob[]>;
  /** Ends the lock of a job, so that the next worker that looks takes it. */
  endLock(id: string): Promise<void>;
  counts(): Promise<StoredJobCounts[]>;
  close(): Promise<void>;
}

/** What a job carries in the store: both back ends keep it as JSON, so that a job behaves the same on each. */
export interface StoredJobData {
  readonly payload: unknown;
  readonly uniqueKey?: string;
}
