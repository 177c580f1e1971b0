import { deleteProviderData, disconnectProvider, listConnections } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type { ConnectionResponse } from '@healthd/schemas';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** Refetch interval while the user gives consent in another window. */
const CONSENTING_MS = 3_000;

/** Returns a user's connections. Refetches while a new connection is expected. */
export function useConnections(userId: string, isAwaited: boolean) {
  return useQuery({
    queryKey: queryKeys.connections(userId),
    queryFn: ({ signal }) => client.call(listConnections, { params: { user_id: userId }, signal }),
    refetchInterval: isAwaited ? CONSENTING_MS : false,
  });
}

/** Ends a connection, optionally with its data. */
export function useDisconnect({ user_id, provider }: ConnectionResponse, onSuccess: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ withData }: { withData: boolean }) =>
      client.call(withData ? deleteProviderData : disconnectProvider, {
        params: { user_id, provider: provider as ProviderId },
      }),
    onSuccess: async () => {
      const lists = [
        queryKeys.everyConnection(),
        queryKeys.users(),
        queryKeys.runs(),
        queryKeys.trouble(),
        queryKeys.dashboard(),
      ];
      for (const queryKey of lists) void queries.invalidateQueries({ queryKey });
      await queries.invalidateQueries({ queryKey: queryKeys.user(user_id) });
      onSuccess();
    },
  });
}
