import { getDashboardStats, listTrouble, listTroubledUsers, requestProviderSync } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type { DiagnosisCause } from '@healthd/schemas';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { inTurns } from '../in-turns.js';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

const FRESH_MS = 15_000;
const FIGURES_MS = 60_000;

/** What a group is known by. */
export interface TroubleFilter {
  provider: string;
  cause: string;
}

/** The most users of a group that are listed, and synced together. */
export const TROUBLED_SHOWN = 500;

/** Why data do not arrive, over all users. */
export function useTrouble() {
  return useQuery({
    queryKey: queryKeys.trouble(),
    queryFn: ({ signal }) => client.call(listTrouble, { signal }),
    refetchInterval: FRESH_MS,
  });
}

/** Users of one group. */
export function useTroubledUsers(filter: TroubleFilter) {
  return useQuery({
    queryKey: queryKeys.troubleUsers(filter),
    queryFn: ({ signal }) =>
      client.call(listTroubledUsers, {
        query: {
          provider: filter.provider as ProviderId,
          cause: filter.cause as DiagnosisCause,
          limit: TROUBLED_SHOWN,
        },
        signal,
      }),
    refetchInterval: FRESH_MS,
  });
}

/** How much the service holds. */
export function useFigures() {
  return useQuery({
    queryKey: queryKeys.dashboard(),
    queryFn: ({ signal }) => client.call(getDashboardStats, { signal }),
    refetchInterval: FIGURES_MS,
  });
}

/** Begins a sync of each of these users, some at a time. `begun` counts while it goes on; the answer counts refusals. */
export function useSyncAll(provider: string) {
  const queries = useQueryClient();
  const [begun, setBegun] = useState(0);
  const sync = useMutation({
    mutationFn: async (userIds: readonly string[]) => {
      setBegun(0);
      let refused = 0;
      await inTurns(userIds, async (userId) => {
        const params = { user_id: userId, provider: provider as ProviderId };
        await client.call(requestProviderSync, { params, query: {} }).catch(() => {
          refused += 1;
        });
        setBegun((count) => count + 1);
      });
      return { begun: userIds.length - refused, refused };
    },
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.trouble() });
      await queries.invalidateQueries({ queryKey: queryKeys.runs() });
    },
  });
  return { ...sync, count: begun };
}
