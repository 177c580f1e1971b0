import type { Envelope } from '@healthd/schemas';
import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { keepSameSubject } from './keep-same-subject.js';

const PAGE_SIZE = 100;

/** Query of one page. */
interface PageQuery {
  cursor: string | undefined;
  limit: number;
}

/** Page of a list. Health data lists also contain the vendors' attribution texts. */
type Page<T> = Pick<Envelope<T>, 'data' | 'pagination'> & { metadata?: Pick<Envelope<T>['metadata'], 'attribution'> };

/** Reads a list in pages on demand. */
export function usePages<T>(queryKey: QueryKey, readPage: (page: PageQuery, signal: AbortSignal) => Promise<Page<T>>) {
  return useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => readPage({ cursor: pageParam, limit: PAGE_SIZE }, signal),
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.next_cursor : undefined),
    placeholderData: keepSameSubject(queryKey),
  });
}
