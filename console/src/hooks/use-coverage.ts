import { getCoverage } from '@healthd/contract';
import { useQuery } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** What each provider can deliver; it changes with the version of the service only. */
export function useCoverage() {
  return useQuery({
    queryKey: queryKeys.coverage(),
    queryFn: ({ signal }) => client.call(getCoverage, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
