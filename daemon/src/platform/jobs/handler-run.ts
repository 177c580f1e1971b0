import type { Pool } from 'pg';
import { outageOf } from '../database/index.js';
import type { JobContext, JobDefinition } from './definition.js';
import { failureCode, JobFailure } from './failures.js';
import { withRunLock } from './run-lock.js';

/**
 * Outcome of a handler's run. `busy`: the same work already runs elsewhere. `locks_away`: Postgres provided no run
 * lock. `interrupted`: the run lock or the database was lost, so the work itself did not fail.
 */
export type HandlerOutcome =
  | { kind: 'done' }
  | { kind: 'failed'; error: Error }
  | { kind: 'busy' }
  | { kind: 'locks_away' | 'interrupted'; error: unknown };

const TOO_LONG = 'job_too_long';

export interface HandlerRun {
  readonly definition: JobDefinition;
  readonly payload: unknown;
  readonly lockKey: string;
  readonly lockPool: Pool;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
  readonly context: Omit<JobContext, 'signal'>;
  /** Time for which a handler may continue after its signal was aborted, before the run counts as failed. */
  readonly graceMs: number;
  /** Same as `graceMs`, for a signal that was aborted because the process stops. */
  readonly stopGraceMs: number;
}

/**
 * Runs a handler once under its run lock, with a time limit.
 * A handler that ignores its signal is abandoned after `graceMs`. It keeps the run lock until it really ends, so the
 * next attempt waits instead of running concurrently.
 */
export function runHandler(run: HandlerRun): Promise<HandlerOutcome> {
  return new Promise((resolve) => {
    let graceTimer: NodeJS.Timeout | undefined;
    const settle = (outcome: HandlerOutcome): void => {
      clearTimeout(graceTimer);
      resolve(outcome);
    };
    const work = async (lockLost: AbortSignal): Promise<HandlerOutcome> => {
      const tooLong = new AbortController();
      const deadline = setTimeout(() => {
        tooLong.abort(new JobFailure(TOO_LONG, 'The job exceeded its maximum duration', run.definition.name));
      }, run.definition.maxDurationSeconds * 1000);
      const signal = AbortSignal.any([lockLost, run.stopping, tooLong.signal]);
      const giveUpLater = (): void => {
        const graceMs = run.stopping.aborted ? run.stopGraceMs : run.graceMs;
        const kind = signal.reason === lockLost.reason ? 'interrupted' : 'failed';
        graceTimer = setTimeout(() => settle({ kind, error: asError(signal.reason) }), graceMs);
      };
      if (signal.aborted) giveUpLater();
      else signal.addEventListener('abort', giveUpLater, { once: true });
      try {
        await run.definition.run(run.payload, { ...run.context, signal });
        return { kind: 'done' };
      } catch (error) {
        // Reports the reason of the abort, because an aborted handler may fail with any error.
        if (signal.aborted && signal.reason !== lockLost.reason)
          return { kind: 'failed', error: asError(signal.reason) };
        const isInterrupted = lockLost.aborted || outageOf(error) === 'away';
        return isInterrupted ? { kind: 'interrupted', error } : { kind: 'failed', error: asError(error) };
      } finally {
        clearTimeout(deadline);
        signal.removeEventListener('abort', giveUpLater);
      }
    };
    withRunLock(run.lockPool, run.lockKey, work).then(
      (outcome) => settle(outcome.held ? afterLock(outcome) : { kind: 'busy' }),
      (error: unknown) => settle({ kind: 'locks_away', error }),
    );
  });
}

/** Converts a failure to `interrupted` if the lock was lost. A handler may fail before its signal reports the loss. */
function afterLock({ value, lost }: { value: HandlerOutcome; lost: boolean }): HandlerOutcome {
  const failedOfLoss = lost && value.kind === 'failed' && failureCode(value.error) !== TOO_LONG;
  return failedOfLoss ? { kind: 'interrupted', error: value.error } : value;
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error
    ? thrown
    : new JobFailure('job_handler_failed', 'The job failed', undefined, { cause: thrown });
}
