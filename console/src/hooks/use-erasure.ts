import { getErasure, listAuditEvents } from '@healthd/contract';
import { useQuery } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** Returns an erasure receipt. Receipts never change. */
export function useErasure(erasureId: string) {
  return useQuery({
    queryKey: queryKeys.erasure(erasureId),
    queryFn: ({ signal }) => client.call(getErasure, { params: { erasure_id: erasureId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Maximum page size of the route. */
const NEWEST = 1000;

/** Returns the audit record of a failed deletion; null if the latest failures do not contain the record. */
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
