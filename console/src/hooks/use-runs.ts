import { getSyncRun, listSyncRuns, listUserSyncRuns, retrySyncRun, type SyncStatus } from '@healthd/contract';
import type { SyncRun } from '@healthd/schemas';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../session.js';
import { uploadExport } from '../upload.js';
import { queryKeys } from './query-keys.js';
import { runsRefresh } from './runs-refresh.js';

/** The newest runs that a list shows. */
export const RUNS_SHOWN = 100;

const BUSY_MS = 500;
/** While a run waits for another attempt. */
const WAITING_MS = 5_000;

/** Which runs are listed; `retrying`: of those in progress, the ones that wait for another attempt. */
export interface RunFilter {
  status?: SyncStatus;
  retrying?: boolean;
}

/** The newest runs of all users. */
export function useRuns(filter: RunFilter) {
  return useQuery({
    queryKey: queryKeys.runList(filter),
    queryFn: ({ signal }) => client.call(listSyncRuns, { query: { limit: RUNS_SHOWN, ...filter }, signal }),
    refetchInterval: ({ state }) => runsRefresh(state.data),
    placeholderData: keepPreviousData,
  });
}

/** The newest runs of one user. */
export function useUserRuns(userId: string) {
  return useQuery({
    queryKey: queryKeys.userRuns(userId),
    queryFn: ({ signal }) =>
      client.call(listUserSyncRuns, { params: { user_id: userId }, query: { limit: RUNS_SHOWN }, signal }),
    refetchInterval: ({ state }) => runsRefresh(state.data),
  });
}

/** A run, read again until it has ended. */
export function useRun(runId: string) {
  return useQuery({
    queryKey: queryKeys.run(runId),
    queryFn: ({ signal }) => client.call(getSyncRun, { params: { run_id: runId }, signal }),
    refetchInterval: ({ state }) => {
      if (state.data && state.data.status !== 'in_progress') return false;
      return state.data?.retrying ? WAITING_MS : BUSY_MS;
    },
  });
}

/** Repeats a run. @param onSuccess gets the id of the run that does */
export function useRetryRun({ run_id, user_id }: SyncRun, onSuccess: (runId: string) => Promise<void> | void) {
  const refresh = useRefreshRuns();
  return useMutation({
    mutationFn: () => client.call(retrySyncRun, { params: { run_id } }),
    onSuccess: async (retry) => {
      await refresh(user_id);
      await onSuccess(retry.run_id);
    },
  });
}

/** Uploads an export file of a user, which starts a run. */
export function useUploadExport(userId: string) {
  const refresh = useRefreshRuns();
  return useMutation({
    mutationFn: (upload: { file: File; signal: AbortSignal; onProgress: (part: number) => void }) =>
      uploadExport({ userId, ...upload }),
    onSuccess: () => refresh(userId),
  });
}

/** Has the lists read again in which a new run of a user shows. */
function useRefreshRuns(): (userId: string) => Promise<void> {
  const queries = useQueryClient();
  return async (userId) => {
    await queries.invalidateQueries({ queryKey: queryKeys.runs() });
    await queries.invalidateQueries({ queryKey: queryKeys.userRuns(userId) });
  };
}
