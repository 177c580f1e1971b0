import { setTimeout as sleep } from 'node:timers/promises';
import { type HealthdClient, UnreachableError } from '@healthd/client';
import { getSyncRun } from '@healthd/contract';
import { MS_PER_MINUTE } from '@healthd/model';
import type { SyncRun } from '@healthd/schemas';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';

const FIRST_PAUSE_MS = 150;
const LONGEST_PAUSE_MS = 1_000;
/** A service that restarts in the meantime is waited for; the run goes on afterwards. */
const AWAY_AT_MOST_MS = MS_PER_MINUTE;

export interface WatchOptions {
  signal: AbortSignal;
  /** Gives up after this long; never when undefined. */
  timeoutMs?: number;
  /** Called whenever the run has moved. */
  onChange(run: SyncRun): Promise<void> | void;
}

/** Follows a run until it has ended. @throws ApiError, UnreachableError, CliError `wait_timed_out` */
export async function watchRun(client: HealthdClient, runId: string, options: WatchOptions): Promise<SyncRun> {
  const deadline = options.timeoutMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + options.timeoutMs;
  let pauseMs = FIRST_PAUSE_MS;
  let awaySinceMs: number | undefined;
  let seen: string | undefined;
  for (;;) {
    const run = await client
      .call(getSyncRun, { params: { run_id: runId }, signal: options.signal })
      .catch((error: unknown) => {
        if (!(error instanceof UnreachableError)) throw error;
        awaySinceMs ??= Date.now();
        if (Date.now() - awaySinceMs > AWAY_AT_MOST_MS) throw error;
        return undefined;
      });
    if (run) {
      awaySinceMs = undefined;
      const state = JSON.stringify([
        run.stage,
        run.status,
        run.progress,
        run.items_processed,
        run.message,
        run.retrying,
      ]);
      if (state !== seen) await options.onChange(run);
      seen = state;
      if (run.status !== 'in_progress') return run;
    }
    if (Date.now() + pauseMs > deadline) throw timedOut(runId);
    await sleep(pauseMs, undefined, { signal: options.signal });
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5);
  }
}

/** The command that goes on watching. */
export function watchCommand(runId: string): string {
  return `healthctl runs watch ${runId}`;
}

function timedOut(runId: string): CliError {
  return new CliError('wait_timed_out', `The run ${runId} has not ended yet. It goes on in the service.`, {
    hint: `Go on watching: ${watchCommand(runId)}`,
    exitCode: EXIT.timedOut,
  });
}
