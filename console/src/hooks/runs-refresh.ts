import type { SyncRun, SyncRunSummary } from '@healthd/schemas';

/** Refetch interval while the stream is open, for changes without a step, such as the next attempt. */
const LIVE_MS = 30_000;
const BUSY_MS = 1_000;
const QUIET_MS = 10_000;
/** Refetch interval of a run page. */
const RUN_BUSY_MS = 500;
const RUN_WAITING_MS = 5_000;

/**
 * Returns the refetch interval of a run list in milliseconds: long while the stream is open. Without the stream, the
 * interval is short while a run progresses and medium while no run progresses.
 */
export function runsRefresh(
  runs: readonly Pick<SyncRunSummary, 'status' | 'retrying'>[] | undefined,
  isLive: boolean,
): number {
  if (isLive) return LIVE_MS;
  const moves = runs?.some(({ status, retrying }) => status === 'in_progress' && retrying === null);
  return moves ? BUSY_MS : QUIET_MS;
}

/** Returns the refetch interval of a single unfinished run. */
export function runRefresh(run: Pick<SyncRun, 'retrying'> | undefined, isLive: boolean): number {
  if (isLive) return LIVE_MS;
  return run?.retrying ? RUN_WAITING_MS : RUN_BUSY_MS;
}
