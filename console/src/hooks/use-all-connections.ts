import { type ConnectionState, listAllConnections } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type { ListedConnection } from '@healthd/schemas';
import { readPages } from '../read-pages.js';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';
import { usePages } from './use-pages.js';

/** Which connections are listed; members left out do not limit the list. */
export interface ConnectionFilter {
  user_id?: string | undefined;
  provider?: ProviderId | undefined;
  state?: ConnectionState | undefined;
}

/** The route gives no more. */
const LARGEST_PAGE = 1000;

/** Connections of all users, newest first, page by page. */
export function useAllConnections(filter: ConnectionFilter) {
  return usePages(queryKeys.allConnections(filter), (page, signal) =>
    client.call(listAllConnections, { query: { ...filter, ...page }, signal }),
  );
}

/** All connections of a filter, newest first. */
export function readAllConnections(
  filter: ConnectionFilter,
  signal: AbortSignal,
): AsyncIterable<readonly ListedConnection[]> {
  return readPages((cursor) =>
    client.call(listAllConnections, { query: { ...filter, cursor, limit: LARGEST_PAGE }, signal }),
  );
}
