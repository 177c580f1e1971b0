import { getServiceActivity, getSystemStatus } from '@healthd/contract';
import { useQuery } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

const FRESH_MS = 60_000;
const LAG_MS = 15_000;

/** What the service did by day, today last, and what vendors reported to it. */
export function useServiceActivity(days: number) {
  return useQuery({
    queryKey: queryKeys.serviceActivity(days),
    queryFn: ({ signal }) => client.call(getServiceActivity, { query: { days }, signal }),
    refetchInterval: FRESH_MS,
  });
}

/** How the service and its jobs are doing. */
export function useSystemStatus() {
  return useQuery({
    queryKey: queryKeys.systemStatus(),
    queryFn: ({ signal }) => client.call(getSystemStatus, { signal }),
    refetchInterval: LAG_MS,
  });
}
