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

/** Whether a run in this stage has ended for good. */
export function isFinal(stage: SyncStage): boolean {
  return ORDER[stage] === 3;
}

/**
 * Whether a run may go from one stage to another. A final stage is never left. Work that was cut off by a crash or a
 * restart is done again from its beginning, so every open stage may go back to `started`; none goes back to `queued`.
 */
export function mayMove(from: SyncStage, to: SyncStage): boolean {
  if (isFinal(from) || to === 'queued') return false;
  return to === 'started' || isFinal(to) || (ORDER[to] === 2 && ORDER[from] >= 1);
}

/** How a run can end. `partial`: something was stored and something could not be; `skipped`: there was nothing to do. */
export type RunOutcome =
  | { stage: 'completed'; status: Extract<SyncStatus, 'success' | 'partial' | 'skipped'> }
  | { stage: 'failed'; status: 'failed'; error: string }
  | { stage: 'cancelled'; status: 'cancelled' };
