import type { z } from 'zod';
import type { RetryPolicy } from './retry.js';

/** Log of the queue and its jobs; compatible with a pino logger. */
export interface JobLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Input of a run in addition to its payload. */
export interface JobContext<P = unknown> {
  /** Aborted when the run takes too long, its run lock is lost, or the process stops. Handlers pass the signal on. */
  readonly signal: AbortSignal;
  /** 1 on the first attempt. */
  readonly attempt: number;
  readonly log: JobLog;
  /**
   * Renews the job's lock immediately. The queue renews it regularly; call this only after a long synchronous stretch.
   */
  touch(): Promise<void>;
  /**
   * Does the same as {@link Job.tryEnqueue} for another job of the same type. If its key is equal, it starts after this
   * run.
   */
  again(payload: P): Promise<boolean>;
}

/** The next attempt after an unsuccessful attempt. */
export interface JobRetry {
  /** Number of the next attempt, at least 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly at: Date;
  /** `stopping`: the process is stopping, and no attempt was counted. */
  readonly cause: 'failed' | 'stopping';
}

/**
 * Definition of a job type. A job is idempotent: after a crash or a store outage it may run again for the same payload,
 * but never concurrently for one unique key.
 */
export interface JobDefinition<P = unknown> {
  readonly name: string;
  /** IDs only, never health data: the job store contains payloads. */
  readonly payload: z.ZodType<P>;
  /**
   * Unique key: at most one job of this name and key waits, and at most one runs. Enqueuing during a run queues one
   * more job, so that work that arrives during the run is not missed. Without a key, the number of jobs is unlimited.
   */
  key?(payload: P): string | undefined;
  /** Maximum number of concurrent jobs of this type per process. */
  readonly concurrency: number;
  /** Time after which the signal is aborted and the run counts as failed. */
  readonly maxDurationSeconds: number;
  readonly retry: RetryPolicy;
  /**
   * If set, the job runs at this interval with payload `{}`, in one process at a time. A failed run is not retried
   * before the next interval.
   */
  readonly everySeconds?: number;
  run(payload: P, context: JobContext<P>): Promise<void>;
  /** Called after an unsuccessful attempt, so that users can see that the work is waiting. Its errors are ignored. */
  onRetry?(payload: P, retry: JobRetry): Promise<void>;
  /**
   * Called after the last attempt, so that users can see the failure. If it throws, it is called again a minute later.
   */
  onGiveUp?(payload: P, error: Error): Promise<void>;
}

/** A registered job type. Its jobs can be enqueued only through this interface. */
export interface Job<P> {
  /**
   * Puts a job into the store.
   *
   * @param options.runAt earliest start; default: immediately
   * @throws JobFailure `job_payload_invalid` (a bug in the caller), `job_store_unavailable`
   */
  enqueue(payload: P, options?: { readonly runAt?: Date }): Promise<'queued' | 'already_queued'>;
  /**
   * `enqueue` for use before a response is sent: waits at most 1 s and does not fail if the store is unavailable.
   *
   * @returns false if the sweeper must enqueue the job later
   */
  tryEnqueue(payload: P): Promise<boolean>;
}

/**
 * Finds acknowledged work without a job, which exists after a store outage or a crash. Runs every few seconds in one
 * process.
 */
export interface JobSweeper<P = unknown> {
  /** Name of the job that does the work. */
  readonly name: string;
  /**
   * Returns the payloads of at most `limit` missing jobs, oldest first. May include work that has a job: its key
   * prevents duplicates.
   */
  findUnqueued(limit: number): Promise<readonly P[]>;
}

/** Infers the common type of a definition's payload, key and run. */
export function defineJob<P>(definition: JobDefinition<P>): JobDefinition<P> {
  return definition;
}
