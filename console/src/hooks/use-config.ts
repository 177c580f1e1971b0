import { getConfig } from '@healthd/contract';
import { useQuery } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** Refetch interval. The configuration only changes when the service restarts. */
const CACHE_MS = 5 * 60_000;

/** Returns the service's configuration. */
export function useConfig() {
  return useQuery({
    queryKey: queryKeys.config(),
    queryFn: ({ signal }) => client.call(getConfig, { signal }),
    staleTime: CACHE_MS,
    refetchInterval: CACHE_MS,
  });
}
