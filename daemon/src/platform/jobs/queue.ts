import { MS_PER_MINUTE } from '@healthd/model';
import type { Pool } from 'pg';
import type { DatabaseChannels } from '../database/index.js';
import type { Job, JobDefinition, JobLog, JobSweeper } from './definition.js';
import type { FinishedRun } from './job-run.js';
import type { StoredJobCounts } from './store.js';

/** Counts since the start of this process. */
export interface JobRunCounts {
  completed: number;
  failed: number;
  gaveUp: number;
}

export type JobStatus = StoredJobCounts & { readonly sinceStart: JobRunCounts };

export interface QueueStatus {
  readonly store: 'postgres' | 'mongodb';
  readonly storeIsUp: boolean;
  /** Empty while the store is unavailable. */
  readonly jobs: readonly JobStatus[];
}

/** Interface to jobs; the settings determine the store behind it. */
export interface JobQueue {
  /** Adds a job type. Call before `start`. @returns its enqueuer */
  define<P>(definition: JobDefinition<P>): Job<P>;
  /** Adds a search for acknowledged work without a job. Call before `start`. */
  sweep(sweeper: JobSweeper): void;
  /**
   * Starts running jobs (except in role `api`). Does not fail if the store is unavailable.
   *
   * @throws JobFailure `job_registry_invalid`
   */
  start(): Promise<void>;
  /**
   * Accepts no more jobs, waits for running ones, and aborts them at the deadline; they return to waiting. Waits about
   * 2 s longer for a handler that ignores its signal.
   */
  stop(deadlineSeconds?: number): Promise<void>;
  status(): Promise<QueueStatus>;
}

export interface JobQueueOptions {
  /** Set: jobs are in MongoDB. Unset: in Postgres. */
  readonly mongodbUri?: string | undefined;
  /** The service's pool; used only for notifications of new jobs. */
  readonly pool: Pool;
  /** The same database, for run locks and the Postgres store, on separate connections. */
  readonly connectionString: string;
  /** Channels of the same database, through which workers learn of new jobs. They outlive the queue. */
  readonly channels: DatabaseChannels;
  /** Maximum number of concurrent jobs of all types in this process. */
  readonly concurrency: number;
  /** `api` only enqueues. */
  readonly role: 'api' | 'worker' | 'all';
  readonly log: JobLog;
  /** Called after each run, for metrics. */
  readonly onRun?: (run: FinishedRun) => void;
  readonly timing?: Partial<JobTiming>;
}

/** All intervals of the queue. Tests shorten them. */
export interface JobTiming {
  /** A job whose lock was not renewed for this long is released from its worker. It is renewed four times as often. */
  readonly lockMs: number;
  /** Poll interval of the store, for jobs without a notification. */
  readonly pollMs: number;
  readonly sweepMs: number;
  /** A job that was claimed but not started for this long is released to the next worker. */
  readonly beginMs: number;
  /** Time for which a handler may ignore its signal. */
  readonly graceMs: number;
  /** The same while the process stops; shorter, because the user is waiting. */
  readonly stopGraceMs: number;
}

export const DEFAULT_TIMING: JobTiming = {
  lockMs: MS_PER_MINUTE,
  pollMs: 5000,
  sweepMs: 5000,
  beginMs: 5000,
  graceMs: 10_000,
  stopGraceMs: 1500,
};
