import type { z } from 'zod';
import type { RetryPolicy } from './retry.js';

/** What the queue and its jobs write to; a pino logger fits. */
export interface JobLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What a handler is given besides its payload. */
export interface JobContext {
  /** Aborted when the run has taken too long, its run lock is lost, or the process stops. Handlers pass it on. */
  readonly signal: AbortSignal;
  /** 1 on the first try. */
  readonly attempt: number;
  readonly log: JobLog;
  /** Renews the job's lock at once. Done every quarter of the lock's time anyway; needed after a long synchronous stretch only. */
  touch(): Promise<void>;
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
 * One kind of job. A job is idempotent: after a crash, or when a store comes back, it may run again for the same
 * payload, though never twice at the same time for one unique key.
 */
export interface JobDefinition<P = unknown> {
  readonly name: string;
  /** Ids only, never health data: payloads are in the job store. */
  readonly payload: z.ZodType<P>;
  /** How many of this kind one process runs at once. */
  readonly concurrency: number;
  /** After this time the signal is aborted and the run counts as failed. */
  readonly maxDurationSeconds: number;
  readonly retry: RetryPolicy;
  /** Set: runs by itself at this interval, by one process at a time, with payload `{}`; the next turn is its retry. */
  readonly everySeconds?: number;
  handler(payload: P, context: JobContext): Promise<void>;
  /** Called after an attempt that did not succeed, so that people can see that the work waits; what fails in it is left. */
  onRetry?(payload: P, retry: JobRetry): Promise<void>;
  /** Called once when no attempt is left, so that people can see it; when it throws it is called again a minute later. */
  onGiveUp?(payload: P, error: Error): Promise<void>;
}

/** Work that was acknowledged and may have no job, because the job store was away or the process died in between. */
export interface UnqueuedJob {
  readonly name: string;
  readonly payload: unknown;
  /** The same key that the service gives when it enqueues: it keeps the sweeper from doubling what is queued. */
  readonly uniqueKey: string;
}

/** A service's own look for work without a job; run every few seconds by one process of all. */
export interface JobSweeper {
  readonly name: string;
  /** At most `limit` items, oldest first. */
  findUnqueued(limit: number): Promise<readonly UnqueuedJob[]>;
}

/** Keeps payload type and handler together where a definition is written, and gives lists of definitions one type. */
export function defineJob<P>(definition: JobDefinition<P>): JobDefinition {
  return definition as JobDefinition;
}
