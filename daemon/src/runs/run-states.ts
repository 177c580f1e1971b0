import type { SyncStage, SyncStatus } from '@healthd/contract';

const ORDER: Readonly<Record<SyncStage, number>> = {
  queued: 0,
  started: 1,
  fetching: 2,
  processing: 2,
  saving: 2,
  completed: 3,
  failed: 3,
  cancelled: 3,
};

/** True if a run in this stage has ended. */
export function isFinal(stage: SyncStage): boolean {
  return ORDER[stage] === 3;
}

/**
 * True if a run may change from one stage to another. A final stage never changes. Every open stage may return to
 * `started`, because interrupted work starts again after a crash or restart. No stage returns to `queued`.
 */
export function mayMove(from: SyncStage, to: SyncStage): boolean {
  if (isFinal(from)) return false;
  return to === 'started' || isFinal(to) || (ORDER[to] === 2 && ORDER[from] >= 1);
}

/** Outcome of a run. `partial`: some data was stored and some was not. `skipped`: there was nothing to do. */
export type RunOutcome =
  | { stage: 'completed'; status: Extract<SyncStatus, 'success' | 'partial' | 'skipped'> }
  | { stage: 'failed'; status: 'failed'; error: string }
  | { stage: 'cancelled'; status: 'cancelled' };
