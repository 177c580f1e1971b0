import type { SyncStatus } from '@healthd/api';

const BUSY_MS = 1_000;
const QUIET_MS = 10_000;

/** Milliseconds until a list of runs is asked for again: often while one of them moves. */
export function runsRefresh(runs: readonly { status: SyncStatus }[] | undefined): number {
  return runs?.some(({ status }) => status === 'in_progress') ? BUSY_MS : QUIET_MS;
}
