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

/** Interface to the job queue. The settings determine the store behind it. */
export interface JobQueue {
  /** Adds a job type. Call before `start`. @returns its enqueuer */
  define<P>(definition: JobDefinition<P>): Job<P>;
  /** Adds a sweeper, which finds acknowledged work without a job. Call before `start`. */
  sweep(sweeper: JobSweeper): void;
  /**
   * Starts running jobs (except in role `api`). Does not fail if the store is unavailable.
   *
   * @throws JobFailure `job_registry_invalid`
   */
  start(): Promise<void>;
  /**
   * Stops claiming jobs, waits for running jobs, and aborts them at the deadline, so that they run again later. Waits
   * about 2 s longer for a handler that ignores its signal.
   */
  stop(deadlineSeconds?: number): Promise<void>;
  status(): Promise<QueueStatus>;
}

export interface JobQueueOptions {
  /** Stores jobs in MongoDB if set, otherwise in Postgres. */
  readonly mongodbUri?: string | undefined;
  /** The service's pool. The queue only sends notifications through it. */
  readonly pool: Pool;
  /** Connection string of the same database, for the separate connections of run locks and of the Postgres store. */
  readonly connectionString: string;
  /** Channels of the same database, on which workers receive notifications of new jobs. They outlive the queue. */
  readonly channels: DatabaseChannels;
  /** Maximum number of concurrent jobs of all types in this process. */
  readonly concurrency: number;
  /** A process with role `api` only enqueues jobs. */
  readonly role: 'api' | 'worker' | 'all';
  readonly log: JobLog;
  /** Called after each run, for metrics. */
  readonly onRun?: (run: FinishedRun) => void;
  readonly timing?: Partial<JobTiming>;
}

/** All intervals of the queue. Tests shorten them. */
export interface JobTiming {
  /**
   * Time without renewal after which a job's lock expires and another worker may claim the job. Locks are renewed four
   * times as often.
   */
  readonly lockMs: number;
  /** Poll interval of the store, for jobs without a notification. */
  readonly pollMs: number;
  readonly sweepMs: number;
  /** Time after which a claimed but not started job is released to another worker. */
  readonly beginMs: number;
  /** Time for which a handler may ignore its signal. */
  readonly graceMs: number;
  /** Same as `graceMs`, while the process stops. Shorter, because the operator is waiting. */
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
