import { mergeAttributions } from '@healthd/client';
import { getSleepSession, getSleepSummary, listSleepSessions } from '@healthd/contract';
import type { Attribution, SleepSession } from '@healthd/schemas';
import { useQuery } from '@tanstack/react-query';
import { daysAgo } from '../format.js';
import { type Period, periodBounds } from '../period.js';
import { client } from '../session.js';
import { keepSameSubject } from './keep-same-subject.js';
import { queryKeys } from './query-keys.js';

const PAGE_SIZE = 100;

/** Returns nightly summaries and all sleep sessions, newest first. */
export function useNights(userId: string, period: Period) {
  const bounds = periodBounds(period);
  const queryKey = queryKeys.sleep(userId, bounds);
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const params = { user_id: userId };
      const [summaries, sessions] = await Promise.all([
        client.call(getSleepSummary, { params, query: { ...bounds, limit: PAGE_SIZE }, signal }),
        // The night of the first date started on the previous evening.
        readSessions(userId, { ...bounds, start_date: daysAgo(1, Date.parse(bounds.start_date)) }, signal),
      ]);
      return {
        summaries: summaries.data.reverse(),
        sessions: sessions.rows,
        attribution: mergeAttributions(summaries.metadata.attribution, sessions.attribution),
        withheld: summaries.metadata.withheld,
      };
    },
    placeholderData: keepSameSubject(queryKey),
  });
}

async function readSessions(userId: string, bounds: ReturnType<typeof periodBounds>, signal: AbortSignal) {
  const rows: SleepSession[] = [];
  let attribution: Attribution = [];
  let cursor: string | undefined;
  do {
    const page = await client.call(listSleepSessions, {
      params: { user_id: userId },
      query: { ...bounds, limit: PAGE_SIZE, cursor },
      signal,
    });
    rows.push(...page.data);
    attribution = mergeAttributions(attribution, page.metadata.attribution);
    cursor = page.pagination.has_more ? (page.pagination.next_cursor ?? undefined) : undefined;
  } while (cursor !== undefined);
  return { rows, attribution };
}

/** Returns a night or nap with the samples of its source. */
export function useSleepSession(userId: string, sleepId: string) {
  return useQuery({
    queryKey: queryKeys.sleepSession(userId, sleepId),
    queryFn: ({ signal }) => client.call(getSleepSession, { params: { user_id: userId, sleep_id: sleepId }, signal }),
  });
}
