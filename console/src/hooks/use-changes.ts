import { listUserChanges } from '@healthd/contract';
import type { Change } from '@healthd/schemas';
import { useInfiniteQuery } from '@tanstack/react-query';
import { client } from '../session.js';
import { keepSameSubject } from './keep-same-subject.js';
import { queryKeys } from './query-keys.js';

const PAGE_SIZE = 100;

/** Returns the changes of a user's data, newest first, in pages. */
export function useChanges(userId: string, kind: Change['kind'] | undefined) {
  const queryKey = queryKeys.changes(userId, kind);
  return useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      client.call(listUserChanges, {
        params: { user_id: userId },
        query: { sort_order: 'desc', kinds: kind, limit: PAGE_SIZE, after: pageParam },
        signal,
      }),
    getNextPageParam: ({ has_more, cursor }) => (has_more ? cursor : undefined),
    placeholderData: keepSameSubject(queryKey),
  });
}
