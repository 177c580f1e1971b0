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

/** Runs of one page of a list. */
const RUNS_SHOWN = 100;
/** Of one page of a file. */
const RUNS_READ = 1_000;

/** Which runs are listed; members left out do not limit the list. */
export interface RunFilter {
  status?: SyncStatus | undefined;
  source?: SyncSource | undefined;
  provider?: ProviderId | undefined;
  user_id?: string | undefined;
  /** Of those in progress, the ones that wait for another attempt. */
  retrying?: boolean | undefined;
  /** Only runs of so many days, today included, by the calendar of UTC. */
  days?: number | undefined;
}

/** The newest runs of all users. */
export function useLatestRuns(limit: number) {
  const isLive = useAreRunsLive();
  useFollowedRuns(true);
  return useQuery({
    queryKey: queryKeys.runList({ limit }),
    queryFn: ({ signal }) => client.call(listSyncRuns, { query: { limit }, signal }),
    refetchInterval: ({ state }) => runsRefresh(state.data, isLive),
  });
}

/** Runs of all users, newest first, page by page; kept up to date while few pages are open. */
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

/** All runs of a filter, newest first. */
export function readRuns(filter: RunFilter, signal: AbortSignal): AsyncIterable<readonly SyncRunSummary[]> {
  return readBehindLast(RUNS_READ, (last) =>
    client.call(listSyncRuns, { query: { ...runQueryOf(filter), before: last?.run_id, limit: RUNS_READ }, signal }),
  );
}

/** What the service is asked for by a filter. */
export function runQueryOf({ days, ...filter }: RunFilter) {
  return { ...filter, from: days === undefined ? undefined : daysAgo(days - 1) };
}

/** Repeats runs, some at a time. `count` says how many were asked for so far; the answer, why some were refused. */
export function useRetryRuns() {
  const queries = useQueryClient();
  const [count, setCount] = useState(0);
  const retry = useMutation({
    mutationFn: async (runIds: readonly string[]) => {
      setCount(0);
      const refusals: string[] = [];
      await inTurns(runIds, async (runId) => {
        await client.call(retrySyncRun, { params: { run_id: runId } }).catch((error: Error) => {
          refusals.push(error.message);
        });
        setCount((done) => done + 1);
      });
      return { begun: runIds.length - refusals.length, refusals };
    },
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.runs() }),
  });
  return { ...retry, count };
}

/** The newest runs of one user. */
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

/** A run, kept up to date until it has ended. */
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
    mutationFn: (upload: { file: File; how: ImportHow; signal: AbortSignal; onProgress: (part: number) => void }) =>
      uploadExport({ userId, ...upload }),
    onSuccess: () => refresh(userId),
  });
}

/** Has the file of a dry run imported. @param onSuccess gets the id of the run that does */
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

/** Has the lists read again in which a new run of a user shows. */
function useRefreshRuns(): (userId: string) => Promise<void> {
  const queries = useQueryClient();
  return async (userId) => {
    await queries.invalidateQueries({ queryKey: queryKeys.runs() });
    await queries.invalidateQueries({ queryKey: queryKeys.userRuns(userId) });
  };
}
