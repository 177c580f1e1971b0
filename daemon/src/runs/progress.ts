import type { RunStep, StepResult, SyncRuns } from './sync-runs.js';

/** At most two steps per second: every step is a row and wakes every watching caller. */
const MIN_INTERVAL_MS = 500;

/** Publishes a run's progress at a limited rate. */
export interface RunProgress {
  /** Records a step. Also returns `recorded` if the rate limit skipped the step. */
  report(stage: 'fetching' | 'processing' | 'saving', step: () => RunStep): Promise<StepResult>;
}

/** @param now milliseconds of a monotonic clock */
export function createRunProgress(runs: SyncRuns, runId: string, now = () => performance.now()): RunProgress {
  let last = Number.NEGATIVE_INFINITY;
  return {
    async report(stage, step) {
      if (now() - last < MIN_INTERVAL_MS) return 'recorded';
      last = now();
      return runs.move(runId, stage, step());
    },
  };
}
