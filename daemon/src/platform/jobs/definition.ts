import type { z } from 'zod';
import type { RetryPolicy } from './retry.js';

/** What the queue and its jobs write to; a pino logger fits. */
export interface JobLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What a run is given besides its payload. */
export interface JobContext<P = unknown> {
  /** Aborted when the run has taken too long, its run lock is lost, or the process stops. Handlers pass it on. */
  readonly signal: AbortSignal;
  /** 1 on the first try. */
  readonly attempt: number;
  readonly log: JobLog;
  /**
   * Renews the job's lock immediately. Done every quarter of the lock's time anyway; needed after a long synchronous
   * stretch only.
   */
  touch(): Promise<void>;
  /**
   * As {@link Job.tryEnqueue} for a further run of the same job, which begins after this one where their keys are the
   * same.
   */
  again(payload: P): Promise<boolean>;
}

/** The attempt that follows one that did not succeed. */
export interface JobRetry {
  /** Number of the attempt to come, at least 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly at: Date;
  /** `stopping`: the process stops, and no attempt was counted. */
  readonly cause: 'failed' | 'stopping';
}

/**
 * What one kind of job does. A job is idempotent: after a crash, or when a store comes back, it may run again for the same
 * payload, though never twice at the same time for one unique key.
 */
export interface JobDefinition<P = unknown> {
  readonly name: string;
  /** Ids only, never health data: payloads are in the job store. */
  readonly payload: z.ZodType<P>;
  /**
   * At most one job of this name and key waits, and at most one runs. Enqueueing while one runs queues one more, so that
   * nothing that arrived during the run is missed. Without a key any number wait and run.
   */
  key?(payload: P): string | undefined;
  /** How many of this kind one process runs at the same time. */
  readonly concurrency: number;
  /** After this time the signal is aborted and the run counts as failed. */
  readonly maxDurationSeconds: number;
  readonly retry: RetryPolicy;
  /** Set: runs by itself at this interval, by one process at a time, with payload `{}`; the next turn is its retry. */
  readonly everySeconds?: number;
  run(payload: P, context: JobContext<P>): Promise<void>;
  /** Called after an attempt that did not succeed, so that people can see that the work waits; what fails in it is left. */
  onRetry?(payload: P, retry: JobRetry): Promise<void>;
  /** Called once when no attempt is left, so that people can see it; when it throws it is called again a minute later. */
  onGiveUp?(payload: P, error: Error): Promise<void>;
}

/** A kind of job that a queue knows: the one way to have it run. */
export interface Job<P> {
  /**
   * Puts a job into the store.
   *
   * @param options.runAt not before this time; immediately without it
   * @throws JobFailure `job_payload_invalid` (a mistake of the caller), `job_store_unavailable`
   */
  enqueue(payload: P, options?: { readonly runAt?: Date }): Promise<'queued' | 'already_queued'>;
  /**
   * `enqueue` for use before an answer is sent: waits at most 1 s and does not fail when the store is away.
   *
   * @returns false when the job is left to the sweeper
   */
  tryEnqueue(payload: P): Promise<boolean>;
}

/**
 * A service's own look for work that was acknowledged and may have no job, because the job store was away or the process
 * died in between. Run every few seconds by one process of all.
 */
export interface JobSweeper<P = unknown> {
  /** Of the job that does the work. */
  readonly name: string;
  /** The payloads of at most `limit` jobs, oldest first. The job's key keeps them from being doubled. */
  findUnqueued(limit: number): Promise<readonly P[]>;
}

/** Keeps the types of payload, key and run together where a definition is written. */
export function defineJob<P>(definition: JobDefinition<P>): JobDefinition<P> {
  return definition;
}
