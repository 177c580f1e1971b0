import type { Pool } from 'pg';
import type { JobLog, JobSweeper } from './definition.js';
import { withRunLock } from './run-lock.js';

/** Maximum number of jobs per sweeper and round. The next round enqueues the remaining jobs. */
const SWEEP_LIMIT = 500;

export interface SweepOptions {
  readonly sweepers: readonly JobSweeper[];
  readonly lockPool: Pool;
  readonly everyMs: number;
  readonly log: JobLog;
  /** False pauses sweeping, because the store is unavailable. */
  storeIsUp(): boolean;
  enqueue(name: string, payload: unknown): Promise<void>;
  /** Releases jobs that were claimed but never started. */
  releaseUnstarted(): Promise<void>;
}

/**
 * Enqueues acknowledged work that has no job. Runs every few seconds. An advisory lock ensures that only one process
 * runs a round. Uses a timer instead of the job store, so that it works as soon as the store is available again.
 *
 * @returns a function that stops sweeping and waits for a running round
 */
export function startSweeping(options: SweepOptions): () => Promise<void> {
  let round: Promise<void> | undefined;
  const sweep = async (): Promise<void> => {
    try {
      await withRunLock(options.lockPool, 'sweep', async () => {
        await options.releaseUnstarted();
        for (const sweeper of options.sweepers) await sweepOne(options, sweeper);
      });
    } catch (error) {
      options.log.warn({ event: 'sweep_failed', err: error }, 'Failed to sweep for unqueued work');
    }
  };
  const turn = (): void => {
    if (!options.storeIsUp()) return;
    round ??= sweep().finally(() => {
      round = undefined;
    });
  };
  // Runs a first round immediately, which continues the work of a killed process.
  turn();
  const timer = setInterval(turn, options.everyMs);
  return async () => {
    clearInterval(timer);
    await round;
  };
}

async function sweepOne(options: SweepOptions, sweeper: JobSweeper): Promise<void> {
  try {
    const found = await sweeper.findUnqueued(SWEEP_LIMIT);
    for (const payload of found) await options.enqueue(sweeper.name, payload);
  } catch (error) {
    options.log.warn({ event: 'sweeper_failed', sweeper: sweeper.name, err: error }, 'Sweeper failed');
  }
}
