import {
  confirmImportRun,
  getSyncRun,
  listSyncRuns,
  listUserSyncRuns,
  retrySyncRun,
  type SyncSource,
  type SyncStatus,
} from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type { SyncRun, SyncRunSummary } from '@healthd/schemas';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { daysAgo } from '../format.js';
import { inTurns } from '../in-turns.js';
import { readBehindLast } from '../read-pages.js';
import { client } from '../session.js';
import { type ImportHow, uploadExport } from '../upload.js';
import { keepSameSubject } from './keep-same-subject.js';
import { queryKeys } from './query-keys.js';
import { runRefresh, runsRefresh } from './runs-refresh.js';
import { LIVE_PAGES, useAreRunsLive, useFollowedRuns } from './use-run-stream.js';

/** Page size of a run list. */
const RUNS_SHOWN = 100;
/** Page size of a CSV export. */
const RUNS_READ = 1_000;

/** Run filters. Omitted members do not filter. */
export interface RunFilter {
  status?: SyncStatus | undefined;
  source?: SyncSource | undefined;
  provider?: ProviderId | undefined;
  user_id?: string | undefined;
  /** Only runs that wait for a retry. */
  retrying?: boolean | undefined;
  /** Number of UTC days to include, counting today. */
  days?: number | undefined;
}

/** Returns the latest runs of all users. */
export function useLatestRuns(limit: number) {
  const isLive = useAreRunsLive();
  useFollowedRuns(true);
  return useQuery({
    queryKey: queryKeys.runList({ limit }),
    queryFn: ({ signal }) => client.call(listSyncRuns, { query: { limit }, signal }),
    refetchInterval: ({ state }) => runsRefresh(state.data, isLive),
  });
}

/** Returns the runs of all users, newest first, in pages. Refetches while few pages are open. */
export function useRuns(filter: RunFilter) {
  const queryKey = queryKeys.runList(filter);
  const isLive = useAreRunsLive();
  useFollowedRuns(true);
  return useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      client.call(listSyncRuns, { query: { ...runQueryOf(filter), before: pageParam, limit: RUNS_SHOWN }, signal }),
    getNextPageParam: (page) => (page.length < RUNS_SHOWN ? undefined : page.at(-1)?.run_id),
    refetchInterval: ({ state }) =>
      (state.data?.pages.length ?? 0) > LIVE_PAGES ? false : runsRefresh(state.data?.pages.flat(), isLive),
    placeholderData: keepSameSubject(queryKey),
  });
}

/** Reads all runs that match a filter, newest first. */
export function readRuns(filter: RunFilter, signal: AbortSignal): AsyncIterable<readonly SyncRunSummary[]> {
  return readBehindLast(RUNS_READ, (last) =>
    client.call(listSyncRuns, { query: { ...runQueryOf(filter), before: last?.run_id, limit: RUNS_READ }, signal }),
  );
}

/** Converts a filter to query parameters. */
export function runQueryOf({ days, ...filter }: RunFilter) {
  return { ...filter, from: days === undefined ? undefined : daysAgo(days - 1) };
}

/**
 * Retries runs, a few at a time. `count` is the number of completed requests. The result contains the number of started
 * retries and the error messages of the rejected retries.
 */
export function useRetryRuns() {
  const queries = useQueryClient();
  const [count, setCount] = useState(0);
  const retry = useMutation({
    mutationFn: async (runIds: readonly string[]) => {
      setCount(0);
      const rejections: string[] = [];
      await inTurns(runIds, async (runId) => {
        await client.call(retrySyncRun, { params: { run_id: runId } }).catch((error: Error) => {
          rejections.push(error.message);
        });
        setCount((done) => done + 1);
      });
      return { startedCount: runIds.length - rejections.length, rejections };
    },
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.runs() }),
  });
  return { ...retry, count };
}

/** Returns a user's latest runs. */
export function useUserRuns(userId: string) {
  const isLive = useAreRunsLive();
  useFollowedRuns(true);
  return useQuery({
    queryKey: queryKeys.userRuns(userId),
    queryFn: ({ signal }) =>
      client.call(listUserSyncRuns, { params: { user_id: userId }, query: { limit: RUNS_SHOWN }, signal }),
    refetchInterval: ({ state }) => runsRefresh(state.data, isLive),
  });
}

/** Returns a run. Refetches until the run has ended. */
export function useRun(runId: string) {
  const isLive = useAreRunsLive();
  const run = useQuery({
    queryKey: queryKeys.run(runId),
    queryFn: ({ signal }) => client.call(getSyncRun, { params: { run_id: runId }, signal }),
    refetchInterval: ({ state }) => (hasEnded(state.data) ? false : runRefresh(state.data, isLive)),
  });
  useFollowedRuns(!hasEnded(run.data));
  return run;
}

function hasEnded(run: SyncRun | undefined): boolean {
  return run !== undefined && run.status !== 'in_progress';
}

/**
 * Retries a run.
 * @param onSuccess receives the id of the new run
 */
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

/** Uploads a user's export file, which starts a run. */
export function useUploadExport(userId: string) {
  const refresh = useRefreshRuns();
  return useMutation({
    mutationFn: (upload: { file: File; how: ImportHow; signal: AbortSignal; onProgress: (part: number) => void }) =>
      uploadExport({ userId, ...upload }),
    onSuccess: () => refresh(userId),
  });
}

/**
 * Imports the file of a dry run for real.
 * @param onSuccess receives the id of the new run
 */
export function useConfirmImport({ run_id, user_id }: SyncRun, onSuccess: (runId: string) => void) {
  const refresh = useRefreshRuns();
  return useMutation({
    mutationFn: () => client.call(confirmImportRun, { params: { run_id } }),
    onSuccess: async (confirmed) => {
      await refresh(user_id);
      onSuccess(confirmed.run_id);
    },
  });
}

/** Refetches the lists that contain a user's new run. */
function useRefreshRuns(): (userId: string) => Promise<void> {
  const queries = useQueryClient();
  return async (userId) => {
    await queries.invalidateQueries({ queryKey: queryKeys.runs() });
    await queries.invalidateQueries({ queryKey: queryKeys.userRuns(userId) });
  };
}
