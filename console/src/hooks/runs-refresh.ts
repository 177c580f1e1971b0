import type { SyncRun, SyncRunSummary } from '@healthd/schemas';

/** While steps arrive over the stream: what changes without a step, such as the time of the next attempt. */
const LIVE_MS = 30_000;
const BUSY_MS = 1_000;
const QUIET_MS = 10_000;
/** Of the page of one run. */
const RUN_BUSY_MS = 500;
const RUN_WAITING_MS = 5_000;

/**
 * Milliseconds until a list of runs is requested again: often while one of them moves, not while it waits, and rarely while
 * the stream of their steps is open.
 */
export function runsRefresh(
  runs: readonly Pick<SyncRunSummary, 'status' | 'retrying'>[] | undefined,
  isLive: boolean,
): number {
  if (isLive) return LIVE_MS;
  const moves = runs?.some(({ status, retrying }) => status === 'in_progress' && retrying === null);
  return moves ? BUSY_MS : QUIET_MS;
}

/** The same of one run that has not ended. */
export function runRefresh(run: Pick<SyncRun, 'retrying'> | undefined, isLive: boolean): number {
  if (isLive) return LIVE_MS;
  return run?.retrying ? RUN_WAITING_MS : RUN_BUSY_MS;
}
