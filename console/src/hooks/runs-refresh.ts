import type { SyncRunSummary } from '@healthd/schemas';

const BUSY_MS = 1_000;
const QUIET_MS = 10_000;

/** Milliseconds until a list of runs is requested again: often while one of them moves, not while it waits. */
export function runsRefresh(runs: readonly Pick<SyncRunSummary, 'status' | 'retrying'>[] | undefined): number {
  const moves = runs?.some(({ status, retrying }) => status === 'in_progress' && retrying === null);
  return moves ? BUSY_MS : QUIET_MS;
}
