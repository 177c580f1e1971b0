import type { RunStep, StepResult, SyncRuns } from './sync-runs.js';

/** At most two steps a second: every step is a row and wakes every caller that watches. */
const MIN_INTERVAL_MS = 500;

/** Publishes how far a run is, leaving out what comes too fast. */
export interface RunProgress {
  /** `recorded` also when this step was left out. */
  report(stage: 'fetching' | 'processing' | 'saving', step: () => RunStep): Promise<StepResult>;
}

/** @param now milliseconds of a clock that only goes forward */
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
