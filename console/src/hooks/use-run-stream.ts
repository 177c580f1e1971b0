import { streamAllSyncEvents } from '@healthd/contract';
import { type InfiniteData, type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { type RunStep, RunStream } from '../run-stream.js';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** Maximum number of pages of a list that refetches automatically. */
export const LIVE_PAGES = 3;

/**
 * Subscribes to run steps while a visible page shows runs, and refetches the affected queries. Hidden pages hold no
 * connection, because browsers share a small connection limit.
 * @param isNeeded false if no displayed run can progress
 */
export function useFollowedRuns(isNeeded: boolean): void {
  const stream = streamOf(useQueryClient());
  const isVisible = useSyncExternalStore(onVisibilityChange, () => document.visibilityState === 'visible');
  useEffect(() => (isNeeded && isVisible ? stream.follow() : undefined), [stream, isNeeded, isVisible]);
}

/** True if steps arrive. Otherwise run queries must poll. */
export function useAreRunsLive(): boolean {
  const stream = streamOf(useQueryClient());
  return useSyncExternalStore(
    (listener) => stream.subscribe(listener),
    () => stream.isOpen,
  );
}

const streams = new WeakMap<QueryClient, RunStream>();

function streamOf(queries: QueryClient): RunStream {
  let stream = streams.get(queries);
  if (!stream) {
    stream = new RunStream({
      open: (signal) =>
        client.send(streamAllSyncEvents, { query: { replay: 0 }, signal }, { Accept: 'text/event-stream' }),
      refresh: (steps) => refresh(queries, steps),
    });
    streams.set(queries, stream);
  }
  return stream;
}

/** Refetches the queries of these runs, or of all runs. */
function refresh(queries: QueryClient, steps: readonly RunStep[] | undefined): Promise<unknown> {
  const runs = new Set(steps?.map(({ run_id }) => run_id));
  const users = new Set(steps?.map(({ user_id }) => user_id));
  const ended = new Set(steps?.filter(({ ended_at }) => ended_at !== null).map(({ user_id }) => user_id));
  return queries.invalidateQueries({
    predicate: (query) => {
      const [first, second, third] = query.queryKey;
      if (first === queryKeys.runs()[0]) return pagesOf(query) <= LIVE_PAGES;
      if (first === queryKeys.run('')[0]) return steps === undefined || runs.has(String(second));
      if (first !== queryKeys.everyUser()[0]) return false;
      // An ended run may have changed all data of its user.
      if (ended.has(String(second))) return true;
      return third === queryKeys.userRuns('')[2] && (steps === undefined || users.has(String(second)));
    },
  });
}

function pagesOf({ state }: Query): number {
  return (state.data as Partial<InfiniteData<unknown>> | undefined)?.pages?.length ?? 1;
}

function onVisibilityChange(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
