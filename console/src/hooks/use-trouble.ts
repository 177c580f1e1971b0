import { getDashboardStats, listTrouble, listTroubledUsers, requestProviderSync } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type { DiagnosisCause, TroubledUsers } from '@healthd/schemas';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { inTurns } from '../in-turns.js';
import { readPages } from '../read-pages.js';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

const FRESH_MS = 15_000;
const FIGURES_MS = 60_000;

/** Identity of a group. */
export interface TroubleFilter {
  provider: string;
  cause: string;
}

/** Users per page of a group. */
export const USERS_PER_PAGE = 500;
/** Maximum page size of the route. */
const LARGEST_PAGE = 1000;

/** Returns the connection problems of all users, grouped by cause. */
export function useTrouble() {
  return useQuery({
    queryKey: queryKeys.trouble(),
    queryFn: ({ signal }) => client.call(listTrouble, { signal }),
    refetchInterval: FRESH_MS,
  });
}

/** Returns the users of a group, newest first, in pages. Refetches while only one page is open. */
export function useTroubledUsers(filter: TroubleFilter) {
  return useInfiniteQuery({
    queryKey: queryKeys.troubleUsers(filter),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      client.call(listTroubledUsers, {
        query: { ...troubleQueryOf(filter), limit: USERS_PER_PAGE, after: pageParam },
        signal,
      }),
    getNextPageParam: ({ next_cursor: cursor }) => cursor ?? undefined,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : FRESH_MS),
  });
}

/** Reads all users of a group in order of connection. Sorting by last event could skip users. */
export function readTroubledUsers(
  filter: TroubleFilter,
  signal: AbortSignal,
): AsyncIterable<readonly TroubledUsers['items'][number][]> {
  return readPages(async (after) => {
    const query = { ...troubleQueryOf(filter), sort_by: 'created_at', limit: LARGEST_PAGE, after } as const;
    const { items, next_cursor } = await client.call(listTroubledUsers, { query, signal });
    return { data: items, pagination: { next_cursor } };
  });
}

/** Converts a filter to query parameters. */
export function troubleQueryOf({ provider, cause }: TroubleFilter) {
  return { provider: provider as ProviderId, cause: cause as DiagnosisCause };
}

/** Returns the number of stored items. */
export function useFigures() {
  return useQuery({
    queryKey: queryKeys.dashboard(),
    queryFn: ({ signal }) => client.call(getDashboardStats, { signal }),
    refetchInterval: FIGURES_MS,
  });
}

/**
 * Starts a sync for each user, a few at a time. `count` is the number of completed requests. The result contains the
 * numbers of started and rejected syncs.
 */
export function useSyncAll(provider: string) {
  const queries = useQueryClient();
  const [startedCount, setStartedCount] = useState(0);
  const sync = useMutation({
    mutationFn: async (userIds: readonly string[]) => {
      setStartedCount(0);
      let rejectedCount = 0;
      await inTurns(userIds, async (userId) => {
        const params = { user_id: userId, provider: provider as ProviderId };
        await client.call(requestProviderSync, { params, query: {} }).catch(() => {
          rejectedCount += 1;
        });
        setStartedCount((count) => count + 1);
      });
      return { startedCount: userIds.length - rejectedCount, rejectedCount };
    },
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.trouble() });
      await queries.invalidateQueries({ queryKey: queryKeys.runs() });
    },
  });
  return { ...sync, count: startedCount };
}
