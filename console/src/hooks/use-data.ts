import { getActivitySummary, getDataSummary, listDataSources, listWorkouts } from '@healthd/contract';
import { useQuery } from '@tanstack/react-query';
import { type Period, periodBounds } from '../period.js';
import { client } from '../session.js';
import { keepSameSubject } from './keep-same-subject.js';
import { queryKeys } from './query-keys.js';
import { usePages } from './use-pages.js';

/** Maximum number of days per request, more than the longest period contains. */
const MAX_DAYS = 100;

/** Returns the number of stored items per type. */
export function useDataSummary(userId: string) {
  return useQuery({
    queryKey: queryKeys.dataSummary(userId),
    queryFn: ({ signal }) => client.call(getDataSummary, { params: { user_id: userId }, query: {}, signal }),
  });
}

/** Returns a user's data sources. */
export function useDataSources(userId: string) {
  return useQuery({
    queryKey: queryKeys.dataSources(userId),
    queryFn: ({ signal }) => client.call(listDataSources, { params: { user_id: userId }, signal }),
  });
}

/** Returns daily activity, newest first. */
export function useActivity(userId: string, period: Period) {
  const bounds = periodBounds(period);
  const queryKey = queryKeys.activity(userId, bounds);
  return useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      client.call(getActivitySummary, {
        params: { user_id: userId },
        query: { ...bounds, limit: MAX_DAYS, sort_order: 'desc' },
        signal,
      }),
    placeholderData: keepSameSubject(queryKey),
  });
}

/** Returns deduplicated workouts, newest first, in pages. */
export function useWorkouts(userId: string, period: Period) {
  const bounds = periodBounds(period);
  return usePages(queryKeys.workouts(userId, bounds), (page, signal) =>
    client.call(listWorkouts, {
      params: { user_id: userId },
      query: { ...bounds, filter_by_priority: true, ...page },
      signal,
    }),
  );
}
