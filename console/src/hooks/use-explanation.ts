import {
  explainActivitySummary,
  explainBodySummary,
  explainRecoverySummary,
  explainSleepSummary,
  getSingleTimeseries,
} from '@healthd/contract';
import { MS_PER_HOUR, type SeriesCode } from '@healthd/model';
import { useQuery } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** Maximum number of buckets per request. A local day in all time zones has 200 buckets of 15 minutes. */
const MOST_BUCKETS = 1_000;
/** Largest UTC offsets in hours. */
const AHEAD = 14;
const BEHIND = 12;

/** Explains the activity of a local day. */
export function useExplanation(userId: string, date: string) {
  return useQuery({
    queryKey: queryKeys.explanation(userId, date),
    queryFn: ({ signal }) =>
      client.call(explainActivitySummary, { params: { user_id: userId }, query: { date }, signal }),
  });
}

export type ExplainedSummary = 'sleep' | 'recovery' | 'body';

const ROUTES = { sleep: explainSleepSummary, recovery: explainRecoverySummary } as const;

/** Returns the sources per summary group on a date. Without a date, returns the sources of the current body values. */
export function useSummaryExplanation(userId: string, summary: ExplainedSummary, date: string | undefined) {
  return useQuery({
    queryKey: queryKeys.summaryExplanation(userId, summary, date),
    queryFn: ({ signal }) => {
      const params = { user_id: userId };
      if (summary === 'body') return client.call(explainBodySummary, { params, query: { date }, signal });
      return client.call(ROUTES[summary], { params, query: { date: date ?? '' }, signal });
    },
  });
}

/** Returns 15-minute buckets by source id. Covers all instants that fall on the date in any time zone. */
export function useDaySeries(userId: string, date: string, type: string, sources: readonly string[]) {
  return useQuery({
    queryKey: queryKeys.daySeries(userId, date, type, sources),
    queryFn: async ({ signal }) => {
      const read = async (source: string) => {
        const { data } = await client.call(getSingleTimeseries, {
          params: { user_id: userId, series_type: type as SeriesCode },
          query: { ...around(date), resolution: '15min', source, limit: MOST_BUCKETS },
          signal,
        });
        return [source, data] as const;
      };
      return new Map(await Promise.all(sources.map(read)));
    },
  });
}

/** Returns the range of instants that fall on a date in any time zone. */
function around(date: string) {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  return {
    start_time: new Date(midnight - AHEAD * MS_PER_HOUR).toISOString(),
    end_time: new Date(midnight + (24 + BEHIND) * MS_PER_HOUR).toISOString(),
  };
}
