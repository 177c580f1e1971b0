import { getErasure } from '@healthd/contract';
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
