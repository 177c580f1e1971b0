import type { Envelope } from '@healthd/schemas';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type Period, periodBounds } from '../../period.js';

/** What one page is requested with. */
interface PageQuery {
  start_date: string;
  end_date: string;
  cursor: string | undefined;
  limit: string;
}

/** Sessions of a person within a period, newest first, read page by page; `name` is what they are kept under. */
export function usePeriodPages<T>(
  name: string,
  userId: string,
  period: Period,
  readPage: (query: PageQuery, signal: AbortSignal) => Promise<Envelope<T>>,
) {
  const bounds = periodBounds(period);
  return useInfiniteQuery({
    queryKey: [name, userId, bounds],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => readPage({ ...bounds, cursor: pageParam, limit: '100' }, signal),
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.next_cursor : undefined),
    placeholderData: keepPreviousData,
  });
}
