import { getDataGaps } from '@healthd/contract';
import { useQuery } from '@tanstack/react-query';
import { daysAgo } from '../format.js';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** Days that decide whether a kind of data comes daily: longer than any period shown, so that a long silence is seen. */
export const CONSIDERED_DAYS = 400;

/** On which days which data came, and when some was expected. */
export function useDataGaps(userId: string) {
  const start_date = daysAgo(CONSIDERED_DAYS);
  return useQuery({
    queryKey: queryKeys.dataGaps(userId, start_date),
    queryFn: ({ signal }) => client.call(getDataGaps, { params: { user_id: userId }, query: { start_date }, signal }),
  });
}
