import { MS_PER_MINUTE } from '@healthd/model';
import type { Pool } from 'pg';
import type { DatabaseChannels } from '../database/index.js';
import type { Job, JobDefinition, JobLog, JobSweeper } from './definition.js';
import type { FinishedRun } from './job-run.js';
import type { StoredJobCounts } from './store.js';

/** Counts since this process started. */
export interface JobRunCounts {
  completed: number;
  failed: number;
  gaveUp: number;
}

export type JobStatus = StoredJobCounts & { readonly sinceStart: JobRunCounts };

export interface QueueStatus {
  readonly store: 'postgres' | 'mongodb';
  readonly storeIsUp: boolean;
  /** Empty while the store is away. */
  readonly jobs: readonly JobStatus[];
}

/** The one way to jobs; which store is behind it is decided by the settings. */
export interface JobQueue {
  /** Adds a kind of job. Only before `start`. @returns what enqueues it */
  define<P>(definition: JobDefinition<P>): Job<P>;
  /** Adds a look for acknowledged work without a job. Only before `start`. */
  sweep(sweeper: JobSweeper): void;
  /**
   * Begins to run jobs (except in role `api`). A store that is away does not fail it.
   *
   * @throws JobFailure `job_registry_invalid`
   */
  start(): Promise<void>;
  /**
   * Takes no more jobs, waits for those that run, aborts them at the deadline; they go back to waiting. A handler that
   * ignores its signal is waited for some 2 s more.
   */
  stop(deadlineSeconds?: number): Promise<void>;
  status(): Promise<QueueStatus>;
}

export interface JobQueueOptions {
  /** Set: jobs are in MongoDB. Unset: in Postgres. */
  readonly mongodbUri?: string | undefined;
  /** The service's pool; only the notifications of new jobs go through it. */
  readonly pool: Pool;
  /** The same database: for run locks and the Postgres store, on connections of the queue's own. */
  readonly connectionString: string;
  /** Of the same database: where workers hear of new jobs. They outlive the queue. */
  readonly channels: DatabaseChannels;
  /** How many jobs this process runs at the same time, of all kinds together. */
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
  /** A job whose lock was not renewed for this long is taken from its worker; it is renewed four times as often. */
  readonly lockMs: number;
  /** The regular look into the store, for what no notification reported. */
  readonly pollMs: number;
  readonly sweepMs: number;
  /** A job that was claimed and not begun for this long is given to the next worker. */
  readonly beginMs: number;
  /** How long a handler may ignore its signal. */
  readonly graceMs: number;
  /** The same while the process stops, which no one waits for long. */
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
