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

/** Every 15 minutes of a day, and of the days beside it as far as any zone reaches. */
const MOST_BUCKETS = 1_000;
/** The farthest zones from UTC, in hours, on either side. */
const AHEAD = 14;
const BEHIND = 12;

/** How the activity of a local day came about. */
export function useExplanation(userId: string, date: string) {
  return useQuery({
    queryKey: queryKeys.explanation(userId, date),
    queryFn: ({ signal }) =>
      client.call(explainActivitySummary, { params: { user_id: userId }, query: { date }, signal }),
  });
}

export type ExplainedSummary = 'sleep' | 'recovery' | 'body';

const ROUTES = { sleep: explainSleepSummary, recovery: explainRecoverySummary } as const;

/** The sources of each group of a summary on a date; of the body as it is now without a date. */
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

/**
 * What each of some sources measured on a local day and, as far as any zone reaches, on the days beside it, in buckets of 15
 * minutes, by the id of the source.
 */
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

/** All instants that can be on a date somewhere. */
function around(date: string) {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  return {
    start_time: new Date(midnight - AHEAD * MS_PER_HOUR).toISOString(),
    end_time: new Date(midnight + (24 + BEHIND) * MS_PER_HOUR).toISOString(),
  };
}
