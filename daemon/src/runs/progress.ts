import type { RunStep, StepResult, SyncRuns } from './sync-runs.js';

/** Minimum interval between two steps. Every step is a row and wakes every watching caller. */
const MIN_INTERVAL_MS = 500;

/** Publishes a run's progress at a limited rate. */
export interface RunProgress {
  /** Records a step. If the rate limit skips it, returns `recorded` too. */
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
