import { streamAllSyncEvents } from '@healthd/contract';
import { type InfiniteData, type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { type RunStep, RunStream } from '../run-stream.js';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** A list of more pages is not read again by itself. */
export const LIVE_PAGES = 3;

/**
 * Follows the steps of all runs while a page shows runs and can be seen: what shows them is read again when they move. A
 * page that is hidden holds no connection, because browsers keep few of them for all windows together.
 * @param isNeeded false where nothing that is shown can move
 */
export function useFollowedRuns(isNeeded: boolean): void {
  const stream = streamOf(useQueryClient());
  const isVisible = useSyncExternalStore(onVisibilityChange, () => document.visibilityState === 'visible');
  useEffect(() => (isNeeded && isVisible ? stream.follow() : undefined), [stream, isNeeded, isVisible]);
}

/** Whether steps arrive; otherwise what shows runs has to be read again and again. */
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

/** Has read again what shows these runs, or any run. */
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
      // A run that has ended may have changed everything that is shown of its user.
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
