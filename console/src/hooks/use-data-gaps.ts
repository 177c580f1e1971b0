import { getDataGaps } from '@healthd/contract';
import { useQuery } from '@tanstack/react-query';
import { daysAgo } from '../format.js';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** Days used to detect daily data types. Longer than every displayed period, so that long gaps are visible. */
export const CONSIDERED_DAYS = 400;

/** Returns the days with received and with expected data. */
export function useDataGaps(userId: string) {
  const start_date = daysAgo(CONSIDERED_DAYS);
  return useQuery({
    queryKey: queryKeys.dataGaps(userId, start_date),
    queryFn: ({ signal }) => client.call(getDataGaps, { params: { user_id: userId }, query: { start_date }, signal }),
  });
}
