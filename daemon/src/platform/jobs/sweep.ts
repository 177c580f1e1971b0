import type { Pool } from 'pg';
import type { JobLog, JobSweeper } from './definition.js';
import { withRunLock } from './run-lock.js';

/** How much one sweeper hands over in one round; the rest comes with the next one. */
const SWEEP_LIMIT = 500;

export interface SweepOptions {
  readonly sweepers: readonly JobSweeper[];
  readonly lockPool: Pool;
  readonly everyMs: number;
  readonly log: JobLog;
  /** Sweeping rests while the store is away. */
  storeIsUp(): boolean;
  enqueue(name: string, payload: unknown): Promise<void>;
  /** Lets other workers take jobs that were claimed and never begun. */
  releaseUnbegun(): Promise<void>;
}

/**
 * Looks every few seconds for acknowledged work without a job and enqueues it. One process of all does a round, by an
 * advisory lock; a timer drives it and not the job store, so that it works immediately when the store comes back.
 *
 * @returns stops it, waiting for a round that is on its way
 */
export function startSweeping(options: SweepOptions): () => Promise<void> {
  let round: Promise<void> | undefined;
  const sweep = async (): Promise<void> => {
    try {
      await withRunLock(options.lockPool, 'sweep', async () => {
        await options.releaseUnbegun();
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
  // Immediately as well: what a killed process had in progress goes on when the next one starts.
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
    options.log.warn({ event: 'sweeper_failed', sweeper: sweeper.name, err: error }, 'Failed to run a sweeper');
  }
}
