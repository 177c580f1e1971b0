import { getErasure, listAuditEvents } from '@healthd/contract';
import { useQuery } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** The receipt of an erasure, which never changes. */
export function useErasure(erasureId: string) {
  return useQuery({
    queryKey: queryKeys.erasure(erasureId),
    queryFn: ({ signal }) => client.call(getErasure, { params: { erasure_id: erasureId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The route gives no more at once. */
const NEWEST = 1000;

/** The audit record of a deletion that failed under this id, among the newest that failed; null when there is none. */
export function useFailedErasure(erasureId: string) {
  const query = { resource: 'user', action: 'delete', outcome: 'failure', limit: NEWEST } as const;
  return useQuery({
    queryKey: queryKeys.failedErasure(erasureId),
    queryFn: async ({ signal }) => {
      const { data } = await client.call(listAuditEvents, { query, signal });
      return data.find(({ resource_id }) => resource_id === erasureId) ?? null;
    },
  });
}
