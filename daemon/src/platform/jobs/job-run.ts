import { MS_PER_MINUTE } from '@healthd/model';
import type { Job } from 'agenda';
import type { Pool } from 'pg';
import { runKey } from './dead-workers.js';
import type { JobDefinition, JobLog, JobRetry } from './definition.js';
import { failureCode, JobFailure } from './failures.js';
import type { GuardedRepository } from './guarded-repository.js';
import { type HandlerOutcome, runHandler } from './handler-run.js';
import { retryDelayMs } from './retry.js';
import type { StoredJobData } from './store.js';

/**
 * Retry delay if the job already runs elsewhere, or if the database or a run lock is unavailable. Does not count as an
 * attempt.
 */
const BUSY_RETRY_MS = 1000;
const FAULT_RETRY_MS = MS_PER_MINUTE;

/** Number of crashed workers after which a job fails permanently, because it may cause the crashes. */
const LOST_WORKERS_LIMIT = 5;

/** Codes of delays that do not count as an attempt. */
const POSTPONED_BECAUSE = {
  busy: 'job_runs_elsewhere',
  locks_away: 'job_run_lock_unavailable',
  interrupted: 'job_run_lock_lost',
} as const;

/** Result of a run, for counters and metrics. */
export interface FinishedRun {
  readonly name: string;
  readonly outcome: 'completed' | 'failed' | 'gave_up' | 'postponed';
  readonly durationSeconds: number;
}

export interface JobRunner {
  readonly guard: GuardedRepository;
  readonly lockPool: Pool;
  readonly stopping: AbortSignal;
  readonly log: JobLog;
  readonly touchMs: number;
  readonly graceMs: number;
  readonly stopGraceMs: number;
  again(definition: JobDefinition, payload: unknown): Promise<boolean>;
  /** Called after each failed write to the store. */
  suspect(error: unknown): void;
  finished(run: FinishedRun): void;
}

/** Returns the function that Agenda calls for each claimed job: runs it once and decides what happens next. */
export function jobProcessor(runner: JobRunner, definition: JobDefinition): (job: Job<StoredJobData>) => Promise<void> {
  return async (job) => {
    const startedAt = performance.now();
    const touching = keepLocked(runner, job);
    const next = await decide(runner, definition, job, touching.touch).catch((error: unknown): Next => {
      // Handles a bug in this code. Without a next run, the job would never be deleted.
      runner.log.error({ event: 'job_run_failed', job: definition.name, err: error }, 'Failed to run a job');
      const failedAttempts = Math.max(job.attrs.failCount ?? 0, 0);
      return { outcome: 'failed', again: { waitMs: FAULT_RETRY_MS, failedAttempts, code: failureCode(error) } };
    });
    await touching.stop();
    const durationSeconds = (performance.now() - startedAt) / 1000;
    runner.finished({ name: definition.name, outcome: next.outcome, durationSeconds });
    await settle(runner, job, next);
  };
}

/** Outcome of a run, and the job's next run. The job's row is deleted if `again` is undefined. */
interface Next {
  readonly outcome: FinishedRun['outcome'];
  readonly again: { readonly waitMs: number; readonly failedAttempts: number; readonly code: string } | undefined;
}

async function decide(
  runner: JobRunner,
  definition: JobDefinition,
  job: Job<StoredJobData>,
  touch: () => Promise<void>,
): Promise<Next> {
  const log = runner.log;
  const { name } = definition;
  const id = String(job.attrs._id);
  const failedBefore = Math.max(job.attrs.failCount ?? 0, 0);
  const payload = definition.payload.safeParse(job.attrs.data.payload);
  if (!payload.success) {
    log.error(
      { event: 'job_dropped', job: name, jobId: id, code: 'job_payload_invalid' },
      'Dropped a stored job with an unreadable payload',
    );
    return { outcome: 'gave_up', again: undefined };
  }
  const giveUp = (error: Error): Promise<Next> => giveUpVisibly(log, definition, payload.data, id, error);
  if ((job.attrs.progress ?? 0) >= LOST_WORKERS_LIMIT) {
    return giveUp(new JobFailure('job_worker_lost', 'Every worker that ran the job crashed', name));
  }
  if (!repeats(job) && failedBefore >= definition.retry.maxAttempts) {
    return giveUp(new JobFailure('job_handler_failed', 'No attempts remain', job.attrs.failReason));
  }
  const outcome = await runHandler({
    definition,
    payload: payload.data,
    lockKey: runKey(name, job.attrs.data.uniqueKey, id),
    lockPool: runner.lockPool,
    stopping: runner.stopping,
    context: {
      attempt: failedBefore + 1,
      log,
      touch,
      again: (next) => runner.again(definition, next),
    },
    graceMs: runner.graceMs,
    stopGraceMs: runner.stopGraceMs,
  });
  if (outcome.kind === 'done') return { outcome: 'completed', again: undefined };
  if (outcome.kind !== 'failed') return postponed(log, definition, outcome, failedBefore);
  const { maxAttempts } = definition.retry;
  if (runner.stopping.aborted) {
    const retry = { attempt: failedBefore + 1, maxAttempts, at: new Date(), cause: 'stopping' } as const;
    await reportRetry(log, definition, payload.data, retry);
    return { outcome: 'postponed', again: { waitMs: 0, failedAttempts: failedBefore, code: 'job_process_stopping' } };
  }
  const failedAttempts = failedBefore + 1;
  const code = failureCode(outcome.error);
  const waitMs = repeats(job) ? 0 : retryDelayMs(definition.retry, failedAttempts, Math.random());
  if (waitMs === undefined) return giveUp(outcome.error);
  log.warn(
    { event: 'job_retried', job: name, jobId: id, attempt: failedAttempts, code, err: outcome.error },
    'Retrying a failed job',
  );
  const at = new Date(Date.now() + waitMs);
  await reportRetry(log, definition, payload.data, { attempt: failedAttempts + 1, maxAttempts, at, cause: 'failed' });
  return { outcome: 'failed', again: { waitMs, failedAttempts, code } };
}

/** Reports a retry to the job's definition. Ignores a failed report, for example during a database outage. */
async function reportRetry(log: JobLog, definition: JobDefinition, payload: unknown, retry: JobRetry): Promise<void> {
  try {
    await definition.onRetry?.(payload, retry);
  } catch (error) {
    log.debug(
      { event: 'job_retry_not_reported', job: definition.name, err: error },
      'Failed to report the retry of a job',
    );
  }
}

function postponed(
  log: JobLog,
  { name }: JobDefinition,
  outcome: Extract<HandlerOutcome, { kind: keyof typeof POSTPONED_BECAUSE }>,
  failedAttempts: number,
): Next {
  const code = POSTPONED_BECAUSE[outcome.kind];
  if (outcome.kind !== 'busy')
    log.warn(
      { event: 'job_postponed', job: name, code, err: outcome.error },
      'Postponed a job: the database was unavailable',
    );
  return { outcome: 'postponed', again: { waitMs: BUSY_RETRY_MS, failedAttempts, code } };
}

async function giveUpVisibly(
  log: JobLog,
  definition: JobDefinition,
  payload: unknown,
  id: string,
  error: Error,
): Promise<Next> {
  const code = failureCode(error);
  try {
    await definition.onGiveUp?.(payload, error);
  } catch (cause) {
    log.error(
      { event: 'job_give_up_failed', job: definition.name, jobId: id, code, err: cause },
      'Failed to record a permanent job failure; retrying',
    );
    return { outcome: 'failed', again: { waitMs: FAULT_RETRY_MS, failedAttempts: definition.retry.maxAttempts, code } };
  }
  log.error({ event: 'job_given_up', job: definition.name, jobId: id, code, err: error }, 'Job failed permanently');
  return { outcome: 'gave_up', again: undefined };
}

/**
 * Applies the decision by setting the job's fields. After the processor, Agenda uses these fields to save the job's
 * state and, if the processor threw, to increment the failure count.
 */
async function settle(runner: JobRunner, job: Job<StoredJobData>, next: Next): Promise<void> {
  if (next.again === undefined) {
    if (!repeats(job)) await runner.guard.remove(String(job.attrs._id));
    return;
  }
  if (!repeats(job)) job.attrs.nextRunAt = new Date(Date.now() + next.again.waitMs);
  job.attrs.failCount = next.again.failedAttempts - 1;
  throw new Error(next.again.code);
}

/** True for a job that runs at an interval. Its next interval replaces the retry. */
function repeats(job: Job<StoredJobData>): boolean {
  return job.attrs.type === 'single';
}

function keepLocked(runner: JobRunner, job: Job<StoredJobData>): { touch(): Promise<void>; stop(): Promise<void> } {
  let writing: Promise<void> | undefined;
  const touch = (): Promise<void> => {
    writing ??= (async () => {
      job.attrs.lockedAt = new Date();
      await runner.guard.repository.saveJobState(job.attrs, undefined);
    })()
      .catch((error: unknown) => runner.suspect(error))
      .finally(() => {
        writing = undefined;
      });
    return writing;
  };
  const timer = setInterval(() => void touch(), runner.touchMs);
  return {
    touch,
    // Waits for a pending touch, which could otherwise arrive after the job's final state and lock the job again.
    stop: async () => {
      clearInterval(timer);
      await writing;
    },
  };
}
