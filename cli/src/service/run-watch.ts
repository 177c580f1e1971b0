import { setTimeout as sleep } from 'node:timers/promises';
import type { HealthdClient } from '@healthd/client';
import { getSyncRun } from '@healthd/contract';
import type { SyncRun } from '@healthd/schemas';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { Absence } from './absence.js';

const FIRST_PAUSE_MS = 150;
const LONGEST_PAUSE_MS = 1_000;

export interface WatchOptions {
  signal: AbortSignal;
  /** Timeout. Never if undefined. */
  timeoutMs?: number | undefined;
  /** Timeout for an unreachable service, in milliseconds. */
  awayAtMostMs?: number;
  /** Called after each change of the run. */
  onChange(run: SyncRun): Promise<void> | void;
}

/**
 * Follows a run until it ends. Waits while the service restarts, because the run then continues.
 * @throws ApiError, CliError `wait_timed_out`, `unreachable`
 */
export async function watchRun(client: HealthdClient, runId: string, options: WatchOptions): Promise<SyncRun> {
  const deadline = options.timeoutMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + options.timeoutMs;
  let pauseMs = FIRST_PAUSE_MS;
  let seen: string | undefined;
  const absence = new Absence({ resume: watchCommand(runId), signal: options.signal, atMostMs: options.awayAtMostMs });
  for (;;) {
    const run = await client
      .call(getSyncRun, { params: { run_id: runId }, signal: options.signal })
      .catch((error: unknown) => absence.waitAfter(error));
    if (run) {
      absence.end();
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

/** Returns the command that watches the run. */
export function watchCommand(runId: string): string {
  return `healthctl runs watch ${runId}`;
}

function timedOut(runId: string): CliError {
  return new CliError('wait_timed_out', `Timed out waiting for run ${runId}. It continues in the service.`, {
    hint: `Keep watching: ${watchCommand(runId)}`,
    exitCode: EXIT.timedOut,
  });
}
