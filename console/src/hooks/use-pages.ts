import type { Envelope } from '@healthd/schemas';
import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { keepSameSubject } from './keep-same-subject.js';

const PAGE_SIZE = 100;

/** What one page is requested with. */
interface PageQuery {
  cursor: string | undefined;
  limit: number;
}

/** A page of any list; lists of health data also say which attribution their vendors demand. */
type Page<T> = Pick<Envelope<T>, 'data' | 'pagination'> & { metadata?: Pick<Envelope<T>['metadata'], 'attribution'> };

/** A list that is read page by page, as the reader asks for more. */
export function usePages<T>(queryKey: QueryKey, readPage: (page: PageQuery, signal: AbortSignal) => Promise<Page<T>>) {
  return useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => readPage({ cursor: pageParam, limit: PAGE_SIZE }, signal),
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.next_cursor : undefined),
    placeholderData: keepSameSubject(queryKey),
  });
}
