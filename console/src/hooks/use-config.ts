import { getConfig } from '@healthd/contract';
import { useQuery } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** It changes with a start of the service only, which a page that stays open sees within minutes. */
const KEPT_MS = 5 * 60_000;

/** What the service is set up to do. */
export function useConfig() {
  return useQuery({
    queryKey: queryKeys.config(),
    queryFn: ({ signal }) => client.call(getConfig, { signal }),
    staleTime: KEPT_MS,
    refetchInterval: KEPT_MS,
  });
}
