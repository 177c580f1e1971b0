import { getServiceActivity, getSystemStatus } from '@healthd/contract';
import { useQuery } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

const FRESH_MS = 60_000;
const LAG_MS = 15_000;

/** Returns daily service activity, today last, and vendor notifications. */
export function useServiceActivity(days: number) {
  return useQuery({
    queryKey: queryKeys.serviceActivity(days),
    queryFn: ({ signal }) => client.call(getServiceActivity, { query: { days }, signal }),
    refetchInterval: FRESH_MS,
  });
}

/** Returns the status of the service and its jobs. */
export function useSystemStatus() {
  return useQuery({
    queryKey: queryKeys.systemStatus(),
    queryFn: ({ signal }) => client.call(getSystemStatus, { signal }),
    refetchInterval: LAG_MS,
  });
}
