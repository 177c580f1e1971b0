import { type ConnectionState, getDataVolume, listAllConnections } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type { ListedConnection } from '@healthd/schemas';
import { useQuery } from '@tanstack/react-query';
import { readPages } from '../read-pages.js';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';
import { usePages } from './use-pages.js';

/** Connection filters. Omitted members do not filter. */
export interface ConnectionFilter {
  user_id?: string | undefined;
  provider?: ProviderId | undefined;
  state?: ConnectionState | undefined;
}

/** Maximum page size of the route. */
const LARGEST_PAGE = 1000;

/** Returns the connections of all users, newest first, in pages. */
export function useAllConnections(filter: ConnectionFilter) {
  return usePages(queryKeys.allConnections(filter), (page, signal) =>
    client.call(listAllConnections, { query: { ...filter, ...page }, signal }),
  );
}

/** Returns the number of users who have an active connection to a provider. */
export function useConnectedUsers(provider: string) {
  return useQuery({
    queryKey: queryKeys.allConnections({ provider, counted: true }),
    queryFn: async ({ signal }) =>
      (await client.call(getDataVolume, { query: { provider: provider as ProviderId }, signal })).active_connections,
    staleTime: 0,
  });
}

/** Reads all connections that match a filter, newest first. */
export function readAllConnections(
  filter: ConnectionFilter,
  signal: AbortSignal,
): AsyncIterable<readonly ListedConnection[]> {
  return readPages((cursor) =>
    client.call(listAllConnections, { query: { ...filter, cursor, limit: LARGEST_PAGE }, signal }),
  );
}
